import { applyDelta } from "../../graph/frame-delta.js";
import type { FrameSnapshot } from "../../graph/frame-snapshot.js";
import { ServiceError } from "../../errors/service-error.js";
import type { StoredEvent } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { OutputRow } from "../../model/schema.js";
import type { FrameRow } from "../../store/contract.js";
import type { EventQuery } from "../../store/filters.js";
import { eventTypes } from "./event-types.js";
import { listNodesInOrder, withFrameLabel } from "./nodes-in-order.js";
import * as rules from "../../options/option-rules.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";

/** A node with what it has done. */
export interface NodeView {
  /** As it is stored. */
  node: NodeRow;
  /** Oldest first. */
  attempts: AttemptRow[];
  /** Absent when the node has no row, or the workflow's schemas are not known to this process. */
  output?: OutputRow;
}

const NODE_RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.wholeNumber,
};
const EVENT_RULES: rules.OptionRules<EventQuery> = {
  afterSeq: rules.integer,
  limit: rules.positiveInteger,
  types: eventTypes,
  nodeId: rules.name,
  descending: rules.flag,
};
const FRAME_RULES = { afterFrameNo: rules.wholeNumber, limit: rules.positiveInteger };

/** One node with its attempts and its row. @throws RUN_NOT_FOUND, NODE_NOT_FOUND */
export async function getNode(
  target: OperationTarget,
  request: { runId: string; nodeId: string; iteration?: number },
): Promise<NodeView> {
  checkOptions("getNode", request, NODE_RULES);
  const store = await storeOf(target);
  await requireRun(store, request.runId);
  const node = await store.getNode(request.runId, request.nodeId, request.iteration);
  if (node === undefined) {
    const at = request.iteration === undefined ? "" : ` at iteration ${request.iteration}`;
    throw new ServiceError("NODE_NOT_FOUND", `Run ${request.runId} has no node ${request.nodeId}${at}.`, {
      details: request,
    });
  }
  const attempts = await store.listAttempts(request.runId, node.nodeId, node.iteration);
  const output = await store.readOutput(request.runId, node.nodeId, node.iteration);
  return {
    node: await withFrameLabel(store, request.runId, node),
    attempts,
    ...(output !== undefined && { output }),
  };
}

/**
 * Nodes of a run in the order of its last frame, each with its iterations; those
 * that have left the tree come last.
 * @throws RUN_NOT_FOUND
 */
export async function listNodes(target: OperationTarget, runId: string): Promise<NodeRow[]> {
  return listNodesInOrder(await storeOf(target), runId);
}

/** Events of a run. @throws RUN_NOT_FOUND */
export async function listEvents(
  target: OperationTarget,
  runId: string,
  query: Partial<EventQuery> = {},
): Promise<StoredEvent[]> {
  checkOptions("listEvents", query, EVENT_RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  return store.listEvents(runId, { limit: 1_000, ...query });
}

/** Frames of a run, newest first. @throws RUN_NOT_FOUND */
export async function listFrames(
  target: OperationTarget,
  runId: string,
  query: { afterFrameNo?: number; limit?: number } = {},
): Promise<FrameRow[]> {
  checkOptions("listFrames", query, FRAME_RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  return store.listFrames(runId, { limit: 50, ...query });
}

/** What one frame of a run showed. */
export interface FrameView extends FrameSnapshot {
  /** From 0. */
  frameNo: number;
}

/**
 * What one frame showed.
 * @param number default: of the newest frame
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND
 */
export async function getFrame(target: OperationTarget, runId: string, number?: number): Promise<FrameView> {
  if (number !== undefined && !rules.wholeNumber.fits(number)) {
    refuseOption("number", rules.wholeNumber.expected, number);
  }
  const store = await storeOf(target);
  const run = await requireRun(store, runId);
  const frameNo = number ?? run.frameNo;
  const chain = await store.snapshotChain(runId, frameNo);
  if (chain === undefined) {
    throw new ServiceError("SNAPSHOT_NOT_FOUND", `Run ${runId} has no frame ${frameNo}.`, {
      details: { runId, frameNo },
    });
  }
  return { frameNo, ...applyDelta(chain) };
}
