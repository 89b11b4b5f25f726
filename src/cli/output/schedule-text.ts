import { instantText } from "../../util/instant-text.js";
import type { OccurrenceView, ScheduleView } from "../../operations/schedules/list-schedules.js";
import type { Colors } from "./styles.js";
import { formatTable } from "./table.js";

type ShownSchedule = Omit<ScheduleView, "history">;

export function scheduleTable(schedules: readonly ShownSchedule[], colors: Colors): string {
  return formatTable(
    ["SCHEDULE", "WORKFLOW", "PATTERN", "ZONE", "OVERLAP", "CATCH-UP", "NEXT"].map(colors.dim),
    schedules.map((row) => [
      row.cronId,
      row.workflowKey,
      row.pattern,
      row.timeZone,
      row.overlap,
      row.catchUp,
      nextText(row, colors),
    ]),
  );
}

function nextText({ enabled, nextFiresAtMs }: ShownSchedule, colors: Colors): string {
  const [next] = nextFiresAtMs;
  if (!enabled) return colors.yellow("off");
  return next === undefined ? colors.yellow("never") : timeText(next);
}

export function occurrenceTable(occurrences: readonly OccurrenceView[], colors: Colors): string {
  return formatTable(
    ["TIME", "STATE", "RUN", "WHY"].map(colors.dim),
    occurrences.map(({ scheduledAtMs, trigger, state, runId, reason, error }) => [
      timeText(scheduledAtMs),
      `${state === "failed" ? colors.red(state) : state}${trigger === "manual" ? " (asked for)" : ""}`,
      runId ?? "",
      reason ?? error?.message ?? "",
    ]),
  );
}

function timeText(ms: number): string {
  return instantText(ms).replace(".000Z", "Z");
}
