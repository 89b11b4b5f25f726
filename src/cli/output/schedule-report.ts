import type { ScheduleView } from "../../operations/index.js";
import type { Report } from "../report.js";
import type { Terminal } from "../terminal.js";
import { scheduleTable } from "./schedule-text.js";

/** A schedule that was made or changed: its id for the next command, and the schedule for people. */
export function scheduleReport(
  schedule: Omit<ScheduleView, "history">,
  { dryRun, terminal }: { dryRun: boolean; terminal: Pick<Terminal, "err"> },
): Report {
  return {
    json: { ...(dryRun && { dryRun }), ...schedule },
    text(colors, width) {
      if (dryRun) return scheduleTable([schedule], colors, width);
      const { err } = terminal;
      err.line(scheduleTable([schedule], err.colors, err.tableWidth));
      return schedule.cronId;
    },
  };
}
