import type { NodeRow } from "../../model/node.js";
import type { UsageRow } from "../../store/index.js";
import { getRun, type RunDetail } from "../get-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { listNodesInOrder } from "./nodes-in-order.js";

/** Token totals of a run's model calls. */
export interface TokenTotals {
  inputTokens: number;
  outputTokens: number;
  /** Number of calls. */
  calls: number;
}

/** A run with all that one look at it needs. */
export interface RunInspection {
  run: RunDetail;
  /** As it was started; null when it is not kept. */
  input: Record<string, unknown> | null;
  usage: TokenTotals;
  /** In the order of the newest frame; those that have left the tree come last. */
  nodes: NodeRow[];
}

/** A run with its input, its tasks and what they used. @throws RUN_NOT_FOUND */
export async function inspectRun(target: OperationTarget, runId: string): Promise<RunInspection> {
  const store = await storeOf(target);
  return {
    run: await getRun(target, runId),
    input: (await store.getInput(runId)) ?? null,
    usage: sumUsage(await store.listUsage(runId)),
    nodes: await listNodesInOrder(store, runId),
  };
}

function sumUsage(rows: readonly UsageRow[]): TokenTotals {
  const totals = { inputTokens: 0, outputTokens: 0, calls: rows.length };
  for (const row of rows) {
    totals.inputTokens += row.inputTokens;
    totals.outputTokens += row.outputTokens;
  }
  return totals;
}
