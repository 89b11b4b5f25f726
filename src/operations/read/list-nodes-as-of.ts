import { pastOf } from "../../engine/index.js";
import { applyDelta } from "../../graph/frame-delta.js";
import type { NodeRow } from "../../model/node.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { withLabels } from "./nodes-in-order.js";

export interface NodesAsOfRequest {
  runId: string;
  frameNo: number;
}

/** Tasks of a run as they were at one of its frames. */
export interface NodesAsOf extends NodesAsOfRequest {
  /** Those that had ended by then, by id and iteration. What was under way then has no row. */
  nodes: NodeRow[];
}

/** Reads which tasks had ended when a frame was committed, and how. @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND */
export async function listNodesAsOf(target: OperationTarget, request: NodesAsOfRequest): Promise<NodesAsOf> {
  const { runId, frameNo } = request;
  const store = await storeOf(target);
  const { rows, runSnapshot } = await pastOf(store, await requireRun(store, runId), frameNo);
  const { xml } = applyDelta(runSnapshot.lastSnapshot);
  return { runId, frameNo, nodes: withLabels(rows.nodes, xml) };
}
