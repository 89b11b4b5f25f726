import type { SchedulerIntent } from "../../scheduler/index.js";
import type { StoredIntent } from "../../store/index.js";

/** The inbox row as the scheduler gets it. */
export function toSchedulerIntent({ id, intent, createdAtMs }: StoredIntent): SchedulerIntent {
  return { ...intent, id, atMs: createdAtMs };
}
