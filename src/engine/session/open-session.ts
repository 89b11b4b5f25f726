import { type TaskKey, taskKey } from "../../model/address.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";
import type { RenderRuntime } from "../../model/render-runtime.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { RunConfig } from "../../model/run.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import { loopIteration } from "../../scheduler/loops.js";
import { createState, type SchedulerState } from "../../scheduler/state.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { StoredControl } from "../../model/plan.js";
import type { FrameSnapshot } from "../../graph/frame-snapshot.js";
import type { Lease, StoredIntent, UsageRow } from "../../store/contract.js";
import { AlertWatch } from "../alerts/alert-watch.js";
import { BudgetLedger } from "../turn/budgets.js";
import { createContext, type ContextSource } from "../view/context.js";
import { ForkSources, forkedNode } from "../attempt/forks.js";
import { FrameLog } from "../turn/frames.js";
import { toSchedulerIntent } from "../inbox/inbox-intent.js";
import { runRoot } from "../run-root.js";
import { LeaseHold } from "./lease-hold.js";
import { Mailbox } from "./mailbox.js";
import { currentIteration, iterationsById, OutlineView } from "../view/outline.js";
import { OutputIndex } from "../view/outputs.js";
import type { AttemptJob, EngineServices, EngineWorkflow } from "../ports.js";
import { RenderReads } from "../view/reads.js";
import type { Letter, RunSession } from "./session.js";

/** What a session starts from: nothing for a new run, the stored image for a resumed one. */
export interface SessionSeed {
  runId: string;
  workflow: EngineWorkflow;
  workflowPath: string | null;
  input: Record<string, unknown>;
  config: RunConfig;
  status: RunSession["status"];
  followContinuation: boolean;
  onProgress?: (event: RunEvent) => void;
  nodes?: NodeRow[];
  controls?: StoredControl[];
  /** Epoch ms; null before the first commit. @default null */
  startedAtMs?: number | null;
  approvals?: ApprovalRow[];
  outputs?: { outputKey: string; row: OutputRow }[];
  intents?: StoredIntent[];
  openAttempts?: AttemptRow[];
  /** Who drove the run before; null when nobody did. @default null */
  formerOwner?: string | null;
  /** Newest checkpoint of each task that may run again, JSON. */
  checkpoints?: ReadonlyMap<TaskKey, string>;
  usage?: UsageRow[];
  /** What attempts that have ended took, and what their child runs had spent by then, for budgets. */
  durations?: { key: TaskKey; durationMs: number; childTokens: number | undefined }[];
  lastSnapshot?: { snapshot: FrameSnapshot; chainLength: number };
  nextSeq?: number;
  frameNo?: number;
}

/** Builds the memory of a run from its seed. Nothing is rendered, written or leased yet. */
export function openSession(services: EngineServices, seed: SessionSeed): PendingSession {
  const { workflow, config } = seed;
  const outputs = new OutputIndex(config.continuation?.earlierRows);
  for (const { outputKey, row } of seed.outputs ?? []) outputs.set(outputKey, row);
  const intents = (seed.intents ?? []).map(toSchedulerIntent);
  const state = createState({
    maxConcurrency: config.maxConcurrency,
    ...(config.maxInterruptions !== undefined && { maxInterruptions: config.maxInterruptions }),
    ...(seed.nodes !== undefined && { nodes: seed.nodes }),
    ...(seed.controls !== undefined && { controls: seed.controls }),
    ...(seed.approvals !== undefined && { approvals: seed.approvals }),
    signals: intents.filter((intent) => intent.kind === "signal"),
    ...(config.initialIteration !== undefined && { initialIteration: config.initialIteration }),
    ...(config.initialIterations !== undefined && { initialIterations: config.initialIterations }),
    ...(config.continuation?.timers !== undefined && { initialTimers: config.continuation.timers }),
  });
  const reads = new RenderReads();
  const mailbox = new Mailbox<Letter>(services.clock);
  const preflights: AttemptJob["preflights"] = new Map();
  const forkSources = new ForkSources();
  const heartbeats = new Map(seed.checkpoints);
  const openAttempts = new Map<TaskKey, AttemptRow>();
  for (const attempt of seed.openAttempts ?? []) {
    openAttempts.set(taskKey(attempt), attempt);
  }
  const interrupted = new Set(openAttempts.keys());
  const formerOwnerOf = (key: TaskKey) => (interrupted.has(key) ? (seed.formerOwner ?? null) : null);
  const lease = { runId: seed.runId, ownerId: "", epoch: 0 };
  const session: PendingSession = {
    runId: seed.runId,
    workflowName: "",
    workflowPath: seed.workflowPath,
    workflowHash: workflow.workflowHash,
    input: seed.input,
    config,
    startedAtMs: seed.startedAtMs ?? services.clock.now(),
    services,
    lease,
    hold: new LeaseHold(services, lease, () => {}),
    ownerId: "",
    followContinuation: seed.followContinuation,
    nextRunId: null,
    error: null,
    mailbox,
    frames: workflow.createFrameSource(
      renderRuntime(() => session, { outputs, reads, workflow, services }),
      () => mailbox.post({ type: "scheduler", event: { type: "invalidate", reason: "control" } }),
    ),
    frameLog: new FrameLog(seed.lastSnapshot?.snapshot ?? null, seed.lastSnapshot?.chainLength ?? 0),
    outputs,
    reads,
    outline: new OutlineView(),
    ledger: { nextSeq: seed.nextSeq ?? 0, frameNo: seed.frameNo ?? 0, openAttempts },
    budgets: budgetsFrom(seed),
    alerts: watchAlerts(services, seed, (key) => session.state.nodes.get(key)?.row),
    alertHandlers: workflow.alertHandlers,
    deliveries: new Set(),
    handles: new Map(),
    heartbeats,
    jobOf: (key, attempt) =>
      createJob(session, { key, attempt, workflow, preflights, forkSources, formerOwnerOf }),
    onProgress: seed.onProgress,
    lastHeartbeatWrites: new Map(),
    seenIntents: new Set(intents.map((intent) => intent.id)),
    // Signals wait in the state for their waiters; everything else is applied once the tree is mounted.
    seedIntents: intents.filter((intent) => intent.kind !== "signal"),
    state,
    frame: null,
    readsChanged: false,
    status: seed.status,
    firstFrame: null,
  };
  return session;
}

/** Null without rules: most runs pay nothing for alerts. */
function watchAlerts(
  services: EngineServices,
  { workflow, controls = [], nodes = [], startedAtMs }: SessionSeed,
  rowOf: (key: TaskKey) => NodeRow | undefined,
): AlertWatch | null {
  if (workflow.alertRules.length === 0) return null;
  return new AlertWatch(workflow.alertRules, {
    fired: controls.filter((control) => control.kind === "alert"),
    startedAtMs: startedAtMs ?? services.clock.now(),
    nodes,
    rowOf,
  });
}

function budgetsFrom({ usage = [], durations = [] }: SessionSeed): BudgetLedger {
  const budgets = new BudgetLedger();
  for (const row of usage) budgets.addUsage(row);
  for (const { key, durationMs, childTokens } of durations) {
    budgets.addDuration(key, durationMs);
    if (childTokens !== undefined) budgets.setChildTokens(key, childTokens);
  }
  return budgets;
}

/** A session before it has a lease. */
export type PendingSession = { -readonly [K in keyof RunSession]: RunSession[K] };

export function giveLease(session: PendingSession, lease: Lease): RunSession {
  const { services, mailbox } = session;
  session.lease = lease;
  session.hold = new LeaseHold(services, lease, (error) => mailbox.post({ type: "fenced", error }));
  session.ownerId = lease.ownerId;
  return session;
}

interface RenderParts {
  outputs: OutputIndex;
  reads: RenderReads;
  workflow: EngineWorkflow;
  services: EngineServices;
}

function renderRuntime(session: () => PendingSession, parts: RenderParts): RenderRuntime {
  const source = contextSource(session, parts);
  return {
    ctxFor: (loops) => createContext(source(), loops),
    control(id) {
      const { state } = session();
      const control = state.controls.get(id);
      if (control !== undefined) return control;
      // A loop that has not been mounted yet starts where the run's options say.
      const iteration = loopIteration(state, id);
      return iteration === 0 ? undefined : { kind: "loop", id, iteration, done: false, exhausted: false };
    },
    get rootDir() {
      return runRoot(session().config);
    },
  };
}

function contextSource(session: () => PendingSession, parts: RenderParts): () => ContextSource {
  let source: ContextSource | undefined;
  return () => {
    source ??= createSource(session(), parts);
    return source;
  };
}

function createSource(session: PendingSession, parts: RenderParts): ContextSource {
  const { workflow, outputs, reads, services } = parts;
  const state = () => session.state;
  return {
    runId: session.runId,
    input: Object.freeze({ ...session.input }),
    auth: session.config.auth ?? null,
    config: Object.freeze({ ...session.config.config }),
    continuation: session.config.continuation?.state,
    outputs,
    reads,
    outputKeys: workflow.outputKeys,
    outputKeyOf: (target) => workflow.outputKeyOf(target),
    tableName: (outputKey) => services.store.codec(outputKey).tableName,
    currentIteration: () => currentIteration(state(), session.outline.read()),
    iterations: () => iterationsById(state()),
    loopOf(nodeId) {
      const key = state().latest.get(nodeId);
      return key === undefined ? undefined : (state().nodes.get(key)?.row.loopId ?? undefined);
    },
    loopIteration: (controlId) => loopIteration(state(), controlId),
    nestedAs: (nodeId) => session.outline.read().nested.get(nodeId) ?? state().newestNested.get(nodeId),
  };
}

function createJob(
  session: PendingSession,
  about: {
    key: TaskKey;
    attempt: number;
    workflow: EngineWorkflow;
    preflights: AttemptJob["preflights"];
    forkSources: ForkSources;
    formerOwnerOf: (key: TaskKey) => string | null;
  },
): AttemptJob {
  const node = session.state.nodes.get(about.key);
  const task = node?.task;
  if (node === undefined || task == null) {
    throw new ServiceError("INTERNAL_ERROR", `Task ${about.key} was started while it was not mounted.`);
  }
  const heartbeatJson = session.heartbeats.get(about.key);
  const { args, error } = resolveArguments(session, task);
  return {
    runId: session.runId,
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    attempt: about.attempt,
    failures: node.row.failures,
    task,
    workflowName: session.workflowName,
    ownerId: session.ownerId,
    modules:
      session.workflowPath === null
        ? about.workflow.modules
        : [session.workflowPath, ...about.workflow.modules],
    config: session.config,
    args,
    dependencyError: error,
    resolution: node.resolution,
    lastHeartbeat: heartbeatJson === undefined ? undefined : JSON.parse(heartbeatJson),
    previousError: node.row.error?.message ?? null,
    cacheAll: about.workflow.cache || session.frame?.cache === true,
    forkedNode: forkedNode(session.state, task),
    isForkSource: about.forkSources.has(session.frame, task.nodeId),
    preflights: about.preflights,
    formerOwner: about.formerOwnerOf(about.key),
  };
}

function resolveArguments(
  session: PendingSession,
  task: TaskDescriptor,
): { args: Record<string, OutputRow | undefined>; error: Error | null } {
  const args: Record<string, OutputRow | undefined> = {};
  if (task.needs === undefined && task.deps === undefined) return { args, error: null };
  for (const [alias, nodeId] of Object.entries(task.needs ?? {})) {
    const outputKey = nodeOf(session.state, nodeId)?.outputKey ?? "";
    args[alias] = rowFor(session, task, { nodeId, outputKey });
  }
  for (const [name, target] of Object.entries(task.deps ?? {})) {
    const row = rowFor(session, task, target);
    if (row === undefined) {
      const error = new ServiceError(
        "DEP_NOT_SATISFIED",
        `Task ${task.nodeId} needs ${name}, but ${target.nodeId} has no row in ${target.outputKey}.`,
        { details: { dependency: name, dependencyNodeId: target.nodeId, outputKey: target.outputKey } },
      );
      return { args, error };
    }
    args[name] = row;
  }
  return { args, error: null };
}

/** Upstream tasks of the same loop are read at the same iteration, others at their latest. */
function rowFor(
  session: PendingSession,
  task: TaskDescriptor,
  target: { nodeId: string; outputKey: string },
): OutputRow | undefined {
  const { outputs, state } = session;
  const loopId = nodeOf(state, target.nodeId)?.loopId ?? null;
  if (loopId !== null && loopId === (task.ralphId ?? null)) {
    return outputs.get(target.outputKey, target.nodeId, task.iteration);
  }
  return outputs.latest(target.outputKey, target.nodeId);
}

function nodeOf(state: SchedulerState, nodeId: string): NodeRow | undefined {
  const key = state.latest.get(nodeId);
  return key === undefined ? undefined : state.nodes.get(key)?.row;
}
