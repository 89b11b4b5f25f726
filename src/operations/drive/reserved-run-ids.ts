import { refuseOption } from "../../options/check-options.js";

/** Runs of schedules, of webhooks and of idempotency keys: the maker of such a run knows it by its id. */
const RESERVED = /^(?:cron:|webhook:|once-[0-9a-f]{32}$)/i;

/**
 * Refuses an id for a new run that a schedule, a webhook or an idempotency key may want: it would find another request's
 * run in its place.
 * @throws INVALID_INPUT
 */
export function refuseReservedRunId(runId: string | undefined): void {
  if (runId === undefined || !RESERVED.test(runId)) return;
  refuseOption(
    "runId",
    "an id that does not begin with cron: or webhook:, nor is like once- and 32 hexadecimal digits, as those are of runs that schedules, webhooks and idempotency keys start",
    runId,
  );
}
