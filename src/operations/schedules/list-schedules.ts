import { ServiceError } from "../../errors/service-error.js";
import type { Occurrence, Schedule } from "../../model/schedule.js";
import type { ServiceDb } from "../../store/service-db.js";
import { storeOf } from "../request/target.js";
import { cronTimes } from "./cron-times.js";
import { noSchedule } from "./schedule-rules.js";

/** An occurrence as readers see it. */
export interface OccurrenceView extends Omit<Occurrence, "auth" | "input"> {
  /** Who its run belongs to. */
  triggeredBy: string;
}

/** A schedule as readers see it. */
export interface ScheduleView extends Omit<Schedule, "coveredUntilMs" | "revision"> {
  /** The next times, epoch milliseconds; empty while it is switched off. */
  nextFiresAtMs: number[];
  /** Newest first. */
  history: OccurrenceView[];
}

export interface ListSchedulesRequest {
  workflowKey?: string;
  cronId?: string;
  /** Occurrences of each. @default 5 */
  history?: number;
}

const NEXT_FIRES = 5;

/** @throws CRON_NOT_FOUND for an id that there is not */
export async function listSchedules(
  db: ServiceDb,
  { workflowKey, cronId, history = 5 }: ListSchedulesRequest,
  nowMs: number,
): Promise<ScheduleView[]> {
  const { schedules } = await storeOf(db);
  const filter = workflowKey === undefined ? {} : { workflowKey };
  const found = (await schedules.list(filter)).filter((row) => cronId === undefined || row.cronId === cronId);
  if (cronId !== undefined && found.length === 0) throw noSchedule(cronId);
  const views: ScheduleView[] = [];
  for (const row of found) {
    const past = history === 0 ? [] : await schedules.occurrences({ cronId: row.cronId, limit: history });
    views.push({ ...viewOfSchedule(row, nowMs), history: past.map(viewOfOccurrence) });
  }
  return views;
}

export function viewOfSchedule(schedule: Schedule, nowMs: number): Omit<ScheduleView, "history"> {
  const { coveredUntilMs, revision: _, ...shown } = schedule;
  const fromMs = Math.max(nowMs, coveredUntilMs);
  return { ...shown, nextFiresAtMs: schedule.enabled ? nextFires(schedule, fromMs) : [] };
}

/** A machine with an older list of time zones may not know one that another machine has taken. */
function nextFires(schedule: Schedule, fromMs: number): number[] {
  try {
    return cronTimes(schedule).next(fromMs, NEXT_FIRES);
  } catch (error) {
    if (!ServiceError.is(error, "INVALID_INPUT")) throw error;
    return [];
  }
}

export function viewOfOccurrence({ auth, input: _, ...shown }: Occurrence): OccurrenceView {
  return { ...shown, triggeredBy: auth.triggeredBy };
}
