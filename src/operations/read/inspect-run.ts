import { getRun, type RunDetail } from "../get-run.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { type TimedNode, timedNodes } from "./node-times.js";
import { newestFrame, nodesOfFrame } from "./nodes-in-order.js";
import { type RunBudget, runBudgets } from "./run-budgets.js";
import { loopsUnderWay, type RunLoop } from "./run-loops.js";
import { type RunTime, runTime } from "./run-time.js";
import { type TokenTotals, tokenTotals } from "./token-totals.js";

/** A run with all that one look at it needs. */
export interface RunInspection {
  run: RunDetail;
  /** As it was started; null when it is not kept. */
  input: Record<string, unknown> | null;
  usage: TokenTotals;
  /** Limits of the Aspects elements in the newest frame, in the order of the tree. */
  budgets: RunBudget[];
  /** Those that are under way, in the order of the tree. */
  loops: RunLoop[];
  time: RunTime;
  /** In the order of the newest frame; those that have left the tree come last. */
  nodes: TimedNode[];
}

/** A run with its input, its tasks, what they used and where its time went. @throws RUN_NOT_FOUND */
export async function inspectRun(target: OperationTarget, runId: string): Promise<RunInspection> {
  const store = await storeOf(target);
  const run = await getRun(target, runId);
  const frame = await newestFrame(store, runId);
  const usage = await store.listUsage(runId);
  const row = await requireRun(store, runId);
  const attempts = await store.listAttemptTimes(runId);
  const hasDied = run.runState === "orphaned" || run.runState === "stopped";
  const diedAtMs = hasDied ? run.lastHeartbeatAtMs : null;
  const nodes = await nodesOfFrame(store, runId, frame);
  return {
    run,
    input: (await store.getInput(runId)) ?? null,
    usage: tokenTotals(usage),
    budgets: await runBudgets(store, { runId, xml: frame.xml, usage }),
    loops: loopsUnderWay(frame.xml, nodes),
    time: runTime(row, attempts, store.clock.now()),
    nodes: timedNodes(nodes, attempts, diedAtMs),
  };
}
