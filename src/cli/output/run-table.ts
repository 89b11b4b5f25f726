import { nodeCountText } from "../../model/node-counts.js";
import { type RunView, shownState } from "../../operations/index.js";
import { formatDuration } from "../../util/duration.js";
import { paintRunState } from "./run-states.js";
import type { Colors } from "./styles.js";
import { formatTable, oneLine } from "./table.js";
import { agoText } from "./times.js";

/** Columns of a table that a reason may take. */
const LONGEST_REASON = 40;

/** A line per run, as `ps` shows them. */
export function runTable(
  runs: readonly RunView[],
  { colors, now, width }: { colors: Colors; now: number; width: number },
): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => [
    run.runId,
    run.workflowName,
    `${paintRunState(shownState(run), colors)}${stateNote(run, colors, now)}`,
    nodeCountText(run.nodes),
    agoText(run.startedAtMs ?? run.createdAtMs, now),
    run.startedAtMs === null ? "" : formatDuration((run.finishedAtMs ?? now) - run.startedAtMs),
    colors.dim(startedBy(run)),
  ]);
  return formatTable(["RUN", "WORKFLOW", "STATUS", "TASKS", "STARTED", "TOOK", ""].map(colors.dim), rows, {
    width,
    names: ["RUN"],
  });
}

function stateNote({ resumeFailure, stopped, recovery }: RunView, colors: Colors, now: number): string {
  if (resumeFailure !== null) return colors.red(` (not resumed: ${resumeFailure.error.code ?? "failed"})`);
  if (recovery !== null) {
    const { notBeforeMs, isAlone } = recovery;
    const wait = notBeforeMs === null ? "" : ` ${formatDuration(Math.max(0, notBeforeMs - now))}`;
    return colors.dim(` (waits${wait}${isAlone ? " to be driven alone" : ""})`);
  }
  return stopped === null ? "" : colors.dim(` (${oneLine(stopped.reason, LONGEST_REASON)})`);
}

/** Who started a run that names no file: a resume of it needs more than its id. A child continues with its parent. */
function startedBy({ workflowPath, parentRunId, continuedFrom, nextRunId }: RunView): string {
  if (nextRunId !== null) return `continues as ${nextRunId}`;
  if (continuedFrom != null) return `continues ${continuedFrom}`;
  if (workflowPath !== null) return "";
  return parentRunId === null ? "by a program" : `by ${parentRunId}`;
}
