import { type SerializedError, serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Occurrence, Schedule } from "../../model/schedule.js";
import type { ServiceDb } from "../../store/index.js";
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

/** A schedule that cannot be read, or whose history cannot. */
export interface DamagedSchedule {
  cronId: string;
  damage: SerializedError;
}

export interface ScheduleList {
  /** By id. */
  schedules: ScheduleView[];
  /** Left out of `schedules`, whatever their workflow. Absent where all is well. */
  damaged?: DamagedSchedule[];
}

const NEXT_FIRES = 5;

/**
 * A schedule that cannot be read is named and hides nothing else.
 * @throws CRON_NOT_FOUND for an id that there is not; STORAGE_ERROR when it is that schedule that cannot be read
 */
export async function listSchedules(
  db: ServiceDb,
  { workflowKey, cronId, history = 5 }: ListSchedulesRequest,
  nowMs: number,
): Promise<ScheduleList> {
  const { schedules } = await storeOf(db);
  const viewOf = async (id: string): Promise<ScheduleView | undefined> => {
    const row = await schedules.get(id);
    if (row === undefined || (workflowKey !== undefined && row.workflowKey !== workflowKey)) return undefined;
    const past = history === 0 ? [] : await schedules.occurrences({ cronId: id, limit: history });
    return { ...viewOfSchedule(row, nowMs), history: past.map(viewOfOccurrence) };
  };
  if (cronId !== undefined) {
    const view = await viewOf(cronId);
    if (view === undefined) throw noSchedule(cronId);
    return { schedules: [view] };
  }
  const views: ScheduleView[] = [];
  const damaged: DamagedSchedule[] = [];
  for (const id of await schedules.ids()) {
    try {
      const view = await viewOf(id);
      if (view !== undefined) views.push(view);
    } catch (error) {
      if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
      damaged.push({ cronId: id, damage: serializeError(error) });
    }
  }
  return { schedules: views, ...(damaged.length > 0 && { damaged }) };
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
