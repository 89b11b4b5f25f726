import { applyDelta } from "../../graph/frame-delta.js";
import type { FrameSnapshot } from "../../graph/frame-snapshot.js";
import { ServiceError } from "../../errors/service-error.js";
import type { StoredEvent } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { OutputRow } from "../../model/schema.js";
import type { EventQuery, FrameRow } from "../../store/index.js";
import { eventTypes } from "./event-types.js";
import { listNodesInOrder, withFrameLabel } from "./nodes-in-order.js";
import * as rules from "../../options/option-rules.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import { boundedRows } from "./bounded-rows.js";
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

/** Which events of a run. */
export interface EventListQuery extends Omit<EventQuery, "limit"> {
  /** Events at most. @default 1000 */
  limit?: number;
}

/** Which node of a run. */
export interface NodeRequest {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default its newest */
  iteration?: number;
}

/** Which frames of a run. */
export interface FrameQuery {
  /** Only later ones. @default all */
  afterFrameNo?: number;
  /** Only earlier ones. @default all */
  beforeFrameNo?: number;
  /** The newest so many. @default 50 */
  limit?: number;
}

const NODE_RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.wholeNumber,
} satisfies rules.OptionRules<NodeRequest>;

const EVENT_RULES = {
  afterSeq: rules.integer,
  beforeSeq: rules.integer,
  limit: rules.withDefault(rules.positiveInteger, 1_000),
  types: eventTypes,
  nodeId: rules.name,
  descending: rules.withDefault(rules.flag, false),
} satisfies rules.OptionRules<EventListQuery>;

const FRAME_RULES = {
  afterFrameNo: rules.wholeNumber,
  beforeFrameNo: rules.wholeNumber,
  limit: rules.withDefault(rules.positiveInteger, 50),
} satisfies rules.OptionRules<FrameQuery>;

/** One node with its attempts and its row. @throws RUN_NOT_FOUND, NODE_NOT_FOUND */
export async function getNode(target: OperationTarget, request: NodeRequest): Promise<NodeView> {
  const asked = checkOptions("getNode", request, NODE_RULES);
  const { runId, nodeId, iteration } = asked;
  const store = await storeOf(target);
  await requireRun(store, runId);
  const node = await store.getNode(runId, nodeId, iteration);
  if (node === undefined) {
    const at = iteration === undefined ? "" : ` at iteration ${iteration}`;
    throw new ServiceError("NODE_NOT_FOUND", `Run ${runId} has no node ${nodeId}${at}.`, { details: asked });
  }
  const attempts = await store.listAttempts(runId, node.nodeId, node.iteration);
  const output = await store.readOutput(runId, node.nodeId, node.iteration);
  return {
    node: await withFrameLabel(store, runId, node),
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
  query: EventListQuery = {},
): Promise<StoredEvent[]> {
  const asked = checkOptions("listEvents", query, EVENT_RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  return store.listEvents(runId, asked);
}

/** A page of a run's events, of 4 MB of JSON at most, and whether there are more of them. @throws RUN_NOT_FOUND */
export async function pageEvents(
  target: OperationTarget,
  runId: string,
  query: EventQuery,
): Promise<{ events: StoredEvent[]; hasMore: boolean }> {
  const store = await storeOf(target);
  await requireRun(store, runId);
  const read = (last: StoredEvent | undefined, limit: number) => {
    const next = query.descending === true ? { beforeSeq: last?.seq } : { afterSeq: last?.seq };
    return store.listEvents(runId, { ...query, ...(last !== undefined && (next as object)), limit });
  };
  const { rows, hasMore } = await boundedRows(read, { limit: query.limit });
  return { events: rows, hasMore };
}

/** Frames of a run, newest first. @throws RUN_NOT_FOUND */
export async function listFrames(
  target: OperationTarget,
  runId: string,
  query: FrameQuery = {},
): Promise<FrameRow[]> {
  const asked = checkOptions("listFrames", query, FRAME_RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  return store.listFrames(runId, asked);
}

/** One frame of a run. */
export interface FrameView extends FrameSnapshot {
  /** From 0. */
  frameNo: number;
}

/**
 * Reads one frame.
 * @param number default: of the newest frame
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND
 */
export async function getFrame(target: OperationTarget, runId: string, number?: number): Promise<FrameView> {
  return frameOf(target, { runId, number, largest: Number.POSITIVE_INFINITY });
}

/** Characters of a stored frame that a host takes apart for a client: what takes longer would be in the way of all others. */
const LARGEST_SENT_FRAME = 8 * 1024 * 1024;

/**
 * Reads one frame, for a client. A frame is measured before it is parsed.
 * @throws RUN_NOT_FOUND, SNAPSHOT_NOT_FOUND, PAYLOAD_TOO_LARGE
 */
export function sentFrame(target: OperationTarget, runId: string, number?: number): Promise<FrameView> {
  return frameOf(target, { runId, number, largest: LARGEST_SENT_FRAME });
}

async function frameOf(
  target: OperationTarget,
  { runId, number, largest }: { runId: string; number: number | undefined; largest: number },
): Promise<FrameView> {
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
  const size = chain.reduce((sum, { json }) => sum + json.length, 0);
  if (size > largest) {
    throw new ServiceError(
      "PAYLOAD_TOO_LARGE",
      `Frame ${frameNo} of run ${runId} has ${size} characters; a host sends at most ${largest}.`,
      { details: { runId, frameNo, size, limit: largest } },
    );
  }
  return { frameNo, ...applyDelta(chain) };
}
