import { instantText } from "../../util/instant-text.js";
import type { OccurrenceView, ScheduleList, ScheduleView } from "../../operations/index.js";
import type { Colors } from "./styles.js";
import { formatTable, oneLine } from "./table.js";

type ShownSchedule = Omit<ScheduleView, "history">;

/** The schedules, and a line for each that cannot be read. */
export function scheduleListText(
  { schedules, damaged = [] }: ScheduleList,
  colors: Colors,
  width: number,
): string {
  const isEmpty = schedules.length + damaged.length === 0;
  return [
    ...(isEmpty ? ["There are no schedules."] : []),
    ...(schedules.length === 0 ? [] : [scheduleTable(schedules, colors, width)]),
    ...damaged.map(({ cronId, damage }) =>
      colors.red(oneLine(`✗ ${cronId} cannot be read: ${damage.message}`, 300)),
    ),
  ].join("\n");
}

export function scheduleTable(schedules: readonly ShownSchedule[], colors: Colors, width: number): string {
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
    { width, names: ["SCHEDULE"] },
  );
}

function nextText({ enabled, nextFiresAtMs }: ShownSchedule, colors: Colors): string {
  const [next] = nextFiresAtMs;
  if (!enabled) return colors.yellow("off");
  return next === undefined ? colors.yellow("never") : timeText(next);
}

export function occurrenceTable(
  occurrences: readonly OccurrenceView[],
  colors: Colors,
  width: number,
): string {
  return formatTable(
    ["TIME", "STATE", "RUN", "WHY"].map(colors.dim),
    occurrences.map(({ scheduledAtMs, trigger, state, runId, reason, error }) => [
      timeText(scheduledAtMs),
      `${state === "failed" ? colors.red(state) : state}${trigger === "manual" ? " (asked for)" : ""}`,
      runId ?? "",
      reason ?? error?.message ?? "",
    ]),
    { width, names: ["RUN"], breaksLast: true },
  );
}

function timeText(ms: number): string {
  return instantText(ms).replace(".000Z", "Z");
}
