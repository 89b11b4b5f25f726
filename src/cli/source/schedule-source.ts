import type { ScheduleSettings } from "../../model/schedule.js";
import type { OccurrenceView, ScheduleList, ScheduleView } from "../../operations/index.js";

type ShownSchedule = Omit<ScheduleView, "history">;

interface DryRun {
  /** Only checked, and answered with the result that it would have. */
  dryRun: boolean;
}

/** Schedules as commands read and change them, in a database or through a gateway. */
export interface ScheduleSource {
  list(filter: { workflow?: string; cronId?: string; history?: number }): Promise<ScheduleList>;
  create(
    schedule: Partial<ScheduleSettings> & { workflow: string; pattern: string; cronId?: string } & DryRun,
  ): Promise<ShownSchedule>;
  update(changes: Partial<ScheduleSettings> & { cronId: string } & DryRun): Promise<ShownSchedule>;
  /** @throws CRON_NOT_FOUND */
  remove(cronId: string, how: DryRun): Promise<void>;
  run(request: { cronId: string; input?: Record<string, unknown> } & DryRun): Promise<OccurrenceView>;
}
