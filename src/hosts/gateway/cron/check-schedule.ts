import { checkPattern } from "../../../operations/index.js";

/** @throws INVALID_INPUT for what is no cron expression */
export function checkSchedule(pattern: string): void {
  checkPattern({ pattern, timeZone: "UTC" }, Date.now(), "schedule");
}
