import type { RunEvent, RunEventType, StoredEvent } from "../../model/events.js";
import { type AttemptState, isTerminalNode } from "../../model/node.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { ServiceDb } from "../../store/index.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";

type Store = ServiceDb["store"];

/** States of spans that are waits; `waiting-retry`: the next attempt follows a failed one later. */
type WaitState = "waiting-approval" | "waiting-event" | "waiting-timer" | "waiting-quota" | "waiting-retry";

/** An attempt of a task, or a time that it waited. */
export interface RunSpan {
  /** Number of the event that it begins with. */
  seq: number;
  nodeId: string;
  iteration: number;
  /** Of an attempt its number; null for a wait. */
  attempt: number | null;
  /** How the attempt stands, or what is waited for. */
  state: AttemptState | WaitState;
  /** Epoch ms. */
  startedAtMs: number;
  /** Epoch ms; null while it continues. */
  finishedAtMs: number | null;
  /** Milliseconds before its beginning in which only a cap or a limit kept the attempt from it; 0 for a wait. */
  queuedMs: number;
}

/** Which spans of a run. */
export interface SpanQuery {
  runId: string;
  /** Only those that begin with an event of a greater number. @default all */
  afterSeq?: number;
  /** At most 500. @default 500 */
  limit?: number;
}

/** A page of spans, by their beginnings. */
export interface SpanPage {
  spans: RunSpan[];
  /** Ask again: `afterSeq` is then that of the last span. */
  hasMore: boolean;
}

const LARGEST_PAGE = 500;

const RULES = {
  runId: rules.required(rules.name),
  afterSeq: rules.integer,
  limit: rules.withDefault(rules.positiveInteger, LARGEST_PAGE),
} satisfies rules.OptionRules<SpanQuery>;

const WAITS = {
  NodeWaitingApproval: "waiting-approval",
  NodeWaitingEvent: "waiting-event",
  NodeWaitingTimer: "waiting-timer",
  NodeWaitingQuota: "waiting-quota",
  NodeRetrying: "waiting-retry",
} as const satisfies Partial<Record<RunEventType, WaitState>>;

/** The state that an event gives to the attempt that is under way; the others leave it so. */
const ENDS = {
  NodeFinished: "finished",
  NodeFailed: "failed",
  NodeInterrupted: "interrupted",
  NodeStarted: "interrupted",
  NodeCancelled: "cancelled",
  NodeSkipped: "cancelled",
  NodePending: "cancelled",
  NodeWaitingQuota: "cancelled",
} as const satisfies Partial<Record<RunEventType, AttemptState>>;

const BEGINNINGS = ["NodeStarted", ...Object.keys(WAITS)] as RunEventType[];
const ALL = [...new Set([...BEGINNINGS, ...Object.keys(ENDS)])] as RunEventType[];

/** Attempts and waits of a run in the order in which they began, as the log has them. @throws RUN_NOT_FOUND */
export async function listSpans(target: OperationTarget, query: SpanQuery): Promise<SpanPage> {
  const { runId, afterSeq, limit: wanted } = checkOptions("listSpans", query, RULES);
  const limit = Math.min(wanted, LARGEST_PAGE);
  const store = await storeOf(target);
  await requireRun(store, runId);
  const found = await store.listEvents(runId, {
    types: BEGINNINGS,
    ...(afterSeq !== undefined && { afterSeq }),
    limit: limit + 1,
  });
  const spans = found.slice(0, limit).flatMap(spanOf);
  await findEnds(store, runId, spans);
  return { spans, hasMore: found.length > limit };
}

function spanOf({ seq, event }: StoredEvent): RunSpan[] {
  if (!("nodeId" in event) || event.nodeId === undefined) return [];
  const { nodeId, timestampMs: startedAtMs } = event;
  const place = {
    seq,
    nodeId,
    iteration: event.iteration ?? 0,
    startedAtMs,
    finishedAtMs: null,
    queuedMs: 0,
  };
  if (event.type === "NodeStarted") {
    const { attempt, waitedMs: queuedMs = 0 } = event;
    return [{ ...place, attempt, state: "in-progress", queuedMs }];
  }
  return isWait(event.type) ? [{ ...place, attempt: null, state: WAITS[event.type] }] : [];
}

function isWait(type: string): type is keyof typeof WAITS {
  return Object.hasOwn(WAITS, type);
}

/** Reads on in the log until each span has its end, or is known to have none yet. */
async function findEnds(store: Store, runId: string, spans: readonly RunSpan[]): Promise<void> {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return;
  const byNode = new Map<string, RunSpan[]>();
  for (const span of spans) {
    const key = keyOf(span);
    const list = byNode.get(key);
    if (list === undefined) byNode.set(key, [span]);
    else list.push(span);
  }
  const open = new Set(spans);
  let isLookedAt = false;
  for (let afterSeq = first.seq; open.size > 0; ) {
    const events = await store.listEvents(runId, { types: ALL, afterSeq, limit: LARGEST_PAGE });
    for (const { seq, event } of events) {
      if (!("nodeId" in event) || event.nodeId === undefined) continue;
      for (const span of byNode.get(keyOf(event)) ?? [])
        if (span.seq < seq && span.finishedAtMs === null && end(span, event)) open.delete(span);
    }
    const reached = events.at(-1);
    if (reached === undefined || events.length < LARGEST_PAGE) return;
    afterSeq = reached.seq;
    // What continues now has no end in the rest of the log, however long that is.
    if (!isLookedAt && afterSeq > last.seq) {
      isLookedAt = true;
      for (const span of open) if (await continues(store, runId, span)) open.delete(span);
    }
  }
}

function keyOf({ nodeId, iteration = 0 }: { nodeId?: string | undefined; iteration?: number | undefined }) {
  return JSON.stringify([nodeId, iteration]);
}

/** Whether the event is the end of the span. Any news of its node ends a wait. */
function end(span: RunSpan, { type, timestampMs }: RunEvent): boolean {
  if (span.attempt !== null) {
    if (!Object.hasOwn(ENDS, type)) return false;
    span.state = ENDS[type as keyof typeof ENDS];
  }
  span.finishedAtMs = timestampMs;
  return true;
}

async function continues(store: Store, runId: string, span: RunSpan): Promise<boolean> {
  const node = await store.getNode(runId, span.nodeId, span.iteration);
  if (node === undefined || isTerminalNode(node.state)) return false;
  if (span.attempt !== null) return node.state !== "pending" && node.lastAttempt === span.attempt;
  return node.state === span.state && node.waitingSinceMs === span.startedAtMs;
}
