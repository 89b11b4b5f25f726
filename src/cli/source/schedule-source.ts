import type { ScheduleSettings } from "../../model/schedule.js";
import type {
  OccurrenceView,
  ScheduleList,
  ScheduleView,
} from "../../operations/schedules/list-schedules.js";

type ShownSchedule = Omit<ScheduleView, "history">;

/** Schedules as commands read and change them, in a database or through a gateway. */
export interface ScheduleSource {
  list(filter: { workflow?: string; cronId?: string; history?: number }): Promise<ScheduleList>;
  create(
    schedule: Partial<ScheduleSettings> & { workflow: string; pattern: string; cronId?: string },
  ): Promise<ShownSchedule>;
  update(changes: Partial<ScheduleSettings> & { cronId: string }): Promise<ShownSchedule>;
  /** @throws CRON_NOT_FOUND */
  remove(cronId: string): Promise<void>;
  run(request: { cronId: string; input?: Record<string, unknown> }): Promise<OccurrenceView>;
}
