import type { NodeState } from "../../model/node.js";
import type { RunView } from "../../operations/get-run.js";
import { shownState } from "../../operations/read/shown-states.js";
import { formatDuration } from "../../util/duration.js";
import { paintRunState } from "./run-states.js";
import type { Colors } from "./styles.js";
import { formatTable } from "./table.js";
import { agoText } from "./times.js";

/** A line per run, as `ps` shows them. */
export function runTable(runs: readonly RunView[], { colors, now }: { colors: Colors; now: number }): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => [
    run.runId,
    run.workflowName,
    `${paintRunState(shownState(run), colors)}${run.resumeFailure === null ? "" : colors.red(` (not resumed: ${run.resumeFailure.error.code ?? "failed"})`)}`,
    nodeCounts(run.nodes),
    agoText(run.startedAtMs ?? run.createdAtMs, now),
    run.startedAtMs === null ? "" : formatDuration((run.finishedAtMs ?? now) - run.startedAtMs),
    colors.dim(startedBy(run)),
  ]);
  return formatTable(["RUN", "WORKFLOW", "STATUS", "TASKS", "STARTED", "TOOK", ""].map(colors.dim), rows);
}

/** Who started a run that names no file: a resume of it needs more than its id. A child continues with its parent. */
function startedBy({ workflowPath, parentRunId }: RunView): string {
  if (workflowPath !== null) return "";
  return parentRunId === null ? "by a program" : `by ${parentRunId}`;
}

/** `3/7`, and what needs attention: `3/7, 1 failed`. */
function nodeCounts(nodes: Partial<Record<NodeState, number>>): string {
  const total = Object.values(nodes).reduce((sum, count) => sum + count, 0);
  const done = (nodes.finished ?? 0) + (nodes.skipped ?? 0);
  const failed = nodes.failed ?? 0;
  return `${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}`;
}
