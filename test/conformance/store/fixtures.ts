import { z } from "zod";
import type { Intent, IntentKind, IntentOf } from "../../../src/model/intent.js";
import type { ApprovalRow } from "../../../src/model/approval.js";
import type { AttemptRow, NodeRow } from "../../../src/model/node.js";
import type { SchemaMap } from "../../../src/model/schema.js";
import type { EventBody } from "../../../src/model/events.js";
import type { Lease, NewRun, OutputWrite, RunCommit, Store } from "../../../src/store/contract.js";
import type { FrameWrite } from "../../../src/store/frame-contract.js";

/** One fresh, empty database that several handles can open. */
export interface TestDatabase {
  open(schemas?: SchemaMap): Store;
  /** Closes every handle and removes the database. */
  dispose(): Promise<void> | void;
}

export type CreateDatabase = () => Promise<TestDatabase> | TestDatabase;

export const schemas = {
  input: z.object({ topic: z.string(), depth: z.int().optional() }),
  draft: z.object({ text: z.string(), words: z.int() }),
  reviewNotes: z.object({ approved: z.boolean(), when: z.date(), tags: z.array(z.string()) }),
} satisfies SchemaMap;

export const T0 = 1_700_000_000_000;

export function newRun(overrides: Partial<NewRun> = {}): NewRun {
  return {
    runId: "run-1",
    parentRunId: null,
    workflowName: "essay",
    workflowPath: null,
    workflowHash: null,
    config: { maxConcurrency: 4, requireRerenderOnOutputChange: true },
    input: { topic: "tea" },
    ownerId: "owner-1",
    nowMs: T0,
    ...overrides,
  };
}

/** The lease that a run made by `newRun` starts with. */
export const firstLease: Lease = { runId: "run-1", ownerId: "owner-1", epoch: 1 };

/** A commit that changes nothing but what is given. */
export function step(overrides: Partial<RunCommit> = {}): RunCommit {
  return {
    lease: firstLease,
    nowMs: T0 + 1,
    run: {},
    nodes: [],
    attempts: [],
    outputs: [],
    removedOutputs: [],
    controls: [],
    events: [],
    frames: [],
    approvals: [],
    consumedIntents: [],
    usage: [],
    cache: [],
    newRuns: [],
    requests: [],
    ...overrides,
  };
}

export const WAKE = { kind: "wake", nodeId: "a", iteration: 0 } as const satisfies Intent;

export const SIGNAL = { kind: "signal", name: "paid", data: { n: 1 } } as const satisfies Intent;

/** A request of each kind. */
export const INTENTS = {
  wake: WAKE,
  signal: SIGNAL,
  cancel: { kind: "cancel" },
  approval: {
    kind: "approval",
    nodeId: "gate",
    iteration: 0,
    decision: { approved: true },
    requestHash: "abc",
  },
  complete: { kind: "complete", nodeId: "a", iteration: 0, output: { n: 1 }, by: "ada" },
  skip: { kind: "skip", nodeId: "a", iteration: 0, note: "not needed" },
  hijack: { kind: "hijack", nodeId: "a", iteration: 0, action: "release" },
} as const satisfies { [K in IntentKind]: IntentOf<K> };

export function node(nodeId: string, overrides: Partial<NodeRow> = {}): NodeRow {
  return {
    nodeId,
    iteration: 0,
    state: "pending",
    lastAttempt: 0,
    failures: 0,
    failureFingerprint: null,
    identicalFailures: 0,
    interruptions: 0,
    dueAtMs: null,
    waitingSinceMs: null,
    wait: null,
    kind: null,
    outputKey: "draft",
    loopId: null,
    label: null,
    fingerprint: "f1",
    updatedAtMs: T0,
    finishedSeq: null,
    error: null,
    ...overrides,
  };
}

/** What a gate asks. */
export const request: ApprovalRow = {
  runId: "run-1",
  nodeId: "gate",
  iteration: 0,
  status: "requested",
  mode: "select",
  request: { title: "Ship?", summary: "v2", metadata: { risk: "low" } },
  options: [{ key: "yes", label: "Yes" }],
  allowedScopes: ["approval:submit"],
  allowedUsers: null,
  requestHash: "abc",
  requestedAtMs: T0,
  decidedAtMs: null,
  decision: null,
  autoApproved: false,
};

export function attempt(nodeId: string, overrides: Partial<AttemptRow> = {}): AttemptRow {
  return {
    nodeId,
    iteration: 0,
    attempt: 1,
    state: "in-progress",
    startedAtMs: T0,
    finishedAtMs: null,
    heartbeatAtMs: null,
    heartbeatJson: null,
    error: null,
    cached: false,
    meta: null,
    ...overrides,
  };
}

/** Events numbered from `firstSeq`. */
export function events(firstSeq: number, ...bodies: EventBody[]): RunCommit["events"] {
  return bodies.map((body, index) => ({ seq: firstSeq + index, timestampMs: T0 + firstSeq + index, body }));
}

export function pending(nodeId: string): EventBody {
  return { type: "NodePending", nodeId, iteration: 0 };
}

export function frame(frameNo: number, overrides: Partial<FrameWrite> = {}): FrameWrite {
  return {
    frameNo,
    createdAtMs: T0 + frameNo,
    reason: "output",
    nodeId: null,
    iteration: null,
    snapshotFrameNo: overrides.snapshot === undefined ? 1 : frameNo,
    ...overrides,
  };
}

export function draft(
  store: Store,
  nodeId: string,
  row: { text: string; words: number },
  iteration = 0,
): OutputWrite {
  return { outputKey: "draft", nodeId, iteration, columns: store.codec("draft").encode(row) };
}

/** The code of the error that a call ends with; undefined when it ends well. */
export async function codeOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
