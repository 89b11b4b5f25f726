import type { RunDetail, RunInspection } from "../../operations/index.js";
import type { NodeRow } from "../../model/node.js";
import { formatDuration } from "../../util/duration.js";
import { type CommandCall, defineCommand } from "../command.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import { factLine } from "../output/fact-line.js";
import { type ShownBlockers, shownBlockers } from "../output/shown-blockers.js";
import { nodeSign } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { formatTable, oneLine } from "../output/table.js";
import { taskName } from "../output/task-name.js";
import { agoText, untilText } from "../output/times.js";
import { runArgument } from "../runs/with-run.js";
import type { Report } from "../report.js";
import { withNamed } from "../source/open-place.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";
import { positiveInteger } from "../input/option-values.js";
import { explanationText } from "./why.js";
import { createCommandText } from "../runs/command-text.js";

interface InspectOptions extends WatchFlags {
  limit: number;
}

/** Tasks in a row that have not begun and get a line each. */
const MOST_ALIKE = 5;

export const inspect = defineCommand<InspectOptions>({
  examples: [
    { command: "treadle inspect latest", meaning: "state, tasks and waits of the newest run" },
    { command: "treadle inspect k3j2 --json", meaning: "everything as one document" },
  ],
  gateway: "asked",
  configure(command) {
    addWatchFlags(command.addArgument(runArgument())).option(
      "-l, --limit <n>",
      "lines of tasks at most",
      positiveInteger("--limit"),
      50,
    );
  },
  run: (call) => watched(call, () => lookAt(call)),
});

async function lookAt(call: CommandCall<InspectOptions>): Promise<Report> {
  const {
    run: detail,
    input,
    usage,
    budgets,
    loops,
    time,
    nodes,
  } = await withNamed(call, ({ place, run }) => place.inspectRun({ runId: run.runId }));
  const commandText = createCommandText(call);
  const shown = { ...detail, ...shownBlockers(detail.blockers, commandText) };
  return {
    json: { run: shown, input, usage, budgets, loops, time, nodes },
    text: (colors, width) =>
      inspectText(
        { run: shown, nodes, usage, budgets, loops, time },
        { colors, width, limit: call.options.limit, commandText },
      ),
  };
}

function inspectText(
  {
    run,
    nodes,
    usage,
    budgets,
    loops,
    time,
  }: Pick<RunInspection, "nodes" | "usage" | "budgets" | "loops" | "time"> & {
    run: Omit<RunDetail, "blockers"> & ShownBlockers;
  },
  {
    colors,
    width,
    limit,
    commandText,
  }: { colors: Colors; width: number; limit: number; commandText(command: string): string },
): string {
  const now = Date.now();
  const lines = [explanationText(run, { colors, now, commandText }), ""];
  const fact = (name: string, value: string | null) => {
    if (value !== null && value !== "") lines.push(factLine(name, value, colors));
  };
  fact("workflow", run.workflowName);
  fact("file", run.workflowPath);
  fact("started", agoText(run.startedAtMs ?? run.createdAtMs, now));
  if (run.startedAtMs !== null) fact("took", formatDuration((run.finishedAtMs ?? now) - run.startedAtMs));
  if (time.waitedMs >= 1_000)
    fact("at work", `${formatDuration(time.workedMs)}, ${formatDuration(time.waitedMs)} waited`);
  if (usage.calls > 0)
    fact("tokens", `${usage.inputTokens} in, ${usage.outputTokens} out, ${usage.calls} calls`);
  for (const { id, unit, perTask, spent, limit: most } of budgets) {
    const amount = unit === "ms" ? formatDuration : String;
    const what = `${unit === "ms" ? "" : " tokens"}${perTask ? " by one task" : ""}`;
    fact("budget", `${id}: ${amount(spent)} of ${amount(most)}${what}`);
  }
  for (const { id, round, maxIterations } of loops) {
    fact("loop", `${id}: round ${round}${maxIterations === null ? "" : ` of ${maxIterations}`}`);
  }
  fact("parent", run.parentRunId);
  if (run.forkedFrom !== null) fact("fork of", `${run.forkedFrom.runId}, frame ${run.forkedFrom.frameNo}`);
  if (run.cancelled !== null) {
    const { requestedBy, reason } = run.cancelled;
    fact(
      "cancelled",
      [requestedBy === null ? "" : `by ${requestedBy}`, reason ?? ""].filter(Boolean).join(": "),
    );
  }
  fact("continues", run.nextRunId);
  const failed = run.summary?.failedChildKeys ?? [];
  if (failed.length > 0) fact("failed", colors.yellow(`${failed.length} tasks: ${failed.join(", ")}`));
  const exhausted = run.summary?.exhaustedLoops ?? [];
  if (exhausted.length > 0) fact("loops", colors.yellow(`stopped at maxIterations: ${exhausted.join(", ")}`));
  const runs = nodeRuns(nodes);
  const left = runs.slice(limit).flat().length;
  if (runs.length > 0) lines.push("", nodeTable(runs.slice(0, limit), { colors, now, width }));
  if (left > 0) lines.push(colors.dim(`… and ${left} more (--limit)`));
  return lines.join("\n");
}

function nodeTable(
  runs: readonly NodeRow[][],
  { colors, now, width }: { colors: Colors; now: number; width: number },
): string {
  const rows = runs.map((run) => {
    const [node] = run as [NodeRow];
    const last = run.at(-1) as NodeRow;
    const name =
      run.length === 1 ? taskName(node) : `${taskName(node)} … ${taskName(last)}, ${run.length} tasks`;
    return [
      `${nodeSign(node.state, colors)} ${name}`,
      node.state,
      node.lastAttempt > 0 ? `attempt ${node.lastAttempt}` : "",
      nodeNote(node, now),
    ];
  });
  return formatTable(["  TASK", "STATE", "", ""].map(colors.dim), rows, { width, names: ["TASK"] });
}

/** Neighbours that nothing is known of but that they have not begun are one line, if they are many. */
function nodeRuns(nodes: readonly NodeRow[]): NodeRow[][] {
  const runs: NodeRow[][] = [];
  for (const node of nodes) {
    const run = runs.at(-1);
    const isAlike = run?.[0]?.state === node.state && isUneventful(node) && isUneventful(run[0]);
    if (isAlike) run?.push(node);
    else runs.push([node]);
  }
  return runs.flatMap((run) => (run.length > MOST_ALIKE ? [run] : run.map((node) => [node])));
}

function isUneventful({ state, lastAttempt, dueAtMs, label }: NodeRow): boolean {
  const isNotBegun = state === "pending" || state === "skipped" || state === "cancelled";
  return isNotBegun && lastAttempt === 0 && dueAtMs === null && label === null;
}

function nodeNote(node: NodeRow, now: number): string {
  if (node.state === "failed" && node.error !== null) return oneLine(serializedErrorLine(node.error), 100);
  if (node.dueAtMs !== null && node.state !== "finished") return `due ${untilText(node.dueAtMs, now)}`;
  return node.label ?? "";
}
