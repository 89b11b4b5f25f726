/** What runs and decisions have as the name of those who are no user: timers, schedules, webhooks, tokens. */
const RESERVED = /^(?:gateway$|(?:service|cron|webhook|token):)/i;

/** Whether no user may have the name: what they do would look as if nobody had done it. */
export function isReservedName(name: string): boolean {
  return RESERVED.test(name.trim());
}

export const RESERVED_NAMES = "gateway, or one that begins with service:, cron:, webhook: or token:";
