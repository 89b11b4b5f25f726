import type { RunView } from "../../operations/get-run.js";
import type { NodeState } from "../../model/node.js";
import type { RunStatus } from "../../model/run.js";
import { formatDuration } from "../../util/duration.js";
import { defineCommand } from "../command.js";
import { positiveInteger, statusList } from "../input/option-values.js";
import { paintRunState } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { formatTable } from "../output/table.js";
import { agoText } from "../output/times.js";
import { openWorkspace } from "../../operations/workspace/open-workspace.js";

interface PsOptions {
  status?: RunStatus[];
  workflow?: string;
  limit: number;
  cursor?: string;
}

export const ps = defineCommand<PsOptions>({
  examples: [
    { command: "treadle ps", meaning: "the newest runs of this workspace" },
    { command: "treadle ps --status waiting-approval,failed", meaning: "those that need somebody" },
    { command: "treadle ps --workflow deploy --json", meaning: "for scripts" },
  ],
  configure(command) {
    command
      .option("-s, --status <list>", "only runs of these statuses, comma-separated", statusList("--status"))
      .option("--workflow <name>", "only runs of this workflow")
      .option("-l, --limit <n>", "runs shown at most", positiveInteger("--limit"), 20)
      .option("--cursor <cursor>", "the page after this one: nextCursor of a --json answer");
  },
  async run({ terminal, options }) {
    const { db } = await openWorkspace(terminal, { ...options, readOnly: true });
    const { listRuns } = await import("../../operations/get-run.js");
    const { status, workflow, limit, cursor } = options;
    const list = await listRuns(db, {
      limit,
      ...(status !== undefined && { statuses: status }),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(cursor !== undefined && { cursor }),
    });
    return { json: list, text: (colors) => runTable(list.runs, { colors, now: Date.now() }) };
  },
});

export function runTable(runs: readonly RunView[], { colors, now }: { colors: Colors; now: number }): string {
  if (runs.length === 0) return "No runs.";
  const rows = runs.map((run) => [
    run.runId,
    run.workflowName,
    `${paintRunState(run.runState, colors)}${run.resumeFailure === null ? "" : colors.red(` (not resumed: ${run.resumeFailure.error.code ?? "failed"})`)}`,
    nodeCounts(run.nodes),
    agoText(run.startedAtMs ?? run.createdAtMs, now),
    run.startedAtMs === null ? "" : formatDuration((run.finishedAtMs ?? now) - run.startedAtMs),
  ]);
  return formatTable(["RUN", "WORKFLOW", "STATE", "TASKS", "STARTED", "TOOK"].map(colors.dim), rows);
}

/** `3/7`, and what needs attention: `3/7, 1 failed`. */
function nodeCounts(nodes: Partial<Record<NodeState, number>>): string {
  const total = Object.values(nodes).reduce((sum, count) => sum + count, 0);
  const done = (nodes.finished ?? 0) + (nodes.skipped ?? 0);
  const failed = nodes.failed ?? 0;
  return `${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}`;
}
