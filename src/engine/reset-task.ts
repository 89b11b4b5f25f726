import { ServiceError } from "../errors/service-error.js";
import type { RunEvent } from "../model/events.js";
import { parseTaskKey, type TaskKey } from "../model/node.js";
import type { ControlState } from "../model/plan.js";
import { compilePlan } from "../scheduler/compile.js";
import type { CompiledPlan } from "../scheduler/compile.js";
import type { Vertex } from "../scheduler/graph-types.js";
import { createState } from "../scheduler/state.js";
import type { Lease, RunImage } from "../store/contract.js";
import { CommitBuilder, toRunEvent } from "./commit.js";
import { openSession } from "./open-session.js";
import type { EngineServices, EngineWorkflow } from "./ports.js";
import { publish } from "./publish.js";
import { render } from "./render-pending.js";

export interface ResetRequest {
  nodeId: string;
  iteration: number;
  resetDependents: boolean;
}

/** What a reset would run again. */
export interface ResetPlan {
  /** The node first, then what depends on it, in document order. */
  keys: TaskKey[];
  /** Loops and blocks that go back to where the node is. */
  controls: ControlState[];
}

/**
 * The node and everything that came after it because of it: later steps of its
 * sequences, tasks that name it, later rounds of its loops. Never siblings that
 * ran beside it.
 * @throws NODE_NOT_FOUND
 */
export function planReset(
  services: EngineServices,
  workflow: EngineWorkflow,
  about: { image: RunImage; request: ResetRequest },
): ResetPlan {
  const { image, request } = about;
  const { nodeId, iteration, resetDependents } = request;
  const node = image.nodes.find((row) => row.nodeId === nodeId && row.iteration === iteration);
  if (node === undefined) {
    throw new ServiceError(
      "NODE_NOT_FOUND",
      `Run ${image.run.runId} has no node ${nodeId} at iteration ${iteration}.`,
      {
        details: { runId: image.run.runId, nodeId, iteration },
      },
    );
  }
  const key = `${nodeId}::${iteration}`;
  if (!resetDependents) return { keys: [key], controls: [] };
  const plan = compiledPlan(services, workflow, image);
  const keys = new Set<TaskKey>([key]);
  for (const id of dependentIds(plan, nodeId)) {
    for (const row of image.nodes) {
      if (row.nodeId !== id) continue;
      const isSameLoop = row.loopId !== null && row.loopId === node.loopId;
      if (!isSameLoop || row.iteration >= iteration) keys.add(`${row.nodeId}::${row.iteration}`);
    }
  }
  const controls: ControlState[] = [];
  const loop = image.controls.find((control) => control.kind === "loop" && control.id === node.loopId);
  if (loop?.kind === "loop") {
    controls.push({ ...loop, iteration, done: false, exhausted: false });
    const laterRound = new RegExp(`@@${escapeRegExp(loop.id)}=(\\d+)`);
    for (const row of image.nodes) {
      const round = laterRound.exec(row.nodeId)?.[1];
      const isLater =
        (row.loopId === loop.id && row.iteration > iteration) ||
        (round !== undefined && Number(round) > iteration);
      if (isLater) keys.add(`${row.nodeId}::${row.iteration}`);
    }
  }
  for (const scope of plan.scopes) {
    const tasks = [...scope.bodyTasks, ...scope.recoverTasks, ...scope.finallyTasks];
    if (!tasks.some((task) => keys.has(task))) continue;
    if (!image.controls.some((control) => control.id === scope.plan.id)) continue;
    controls.push({ kind: "scope", id: scope.plan.id, phase: "body" });
    // The block runs as a whole: what it skipped because of the old outcome may be needed now.
    for (const task of tasks) {
      const row = image.nodes.find((known) => `${known.nodeId}::${known.iteration}` === task);
      if (row?.state === "skipped") keys.add(task);
    }
  }
  return { keys: [...keys], controls };
}

function compiledPlan(services: EngineServices, workflow: EngineWorkflow, image: RunImage): CompiledPlan {
  const session = openSession(services, {
    runId: image.run.runId,
    workflow,
    workflowPath: image.run.workflowPath,
    input: image.input,
    config: image.run.config,
    status: image.run.status,
    followContinuation: false,
    nodes: image.nodes,
    controls: image.controls,
    outputs: image.outputs,
  });
  try {
    return compilePlan(render(session).plan, 0);
  } finally {
    session.frames.dispose();
    session.mailbox.close();
  }
}

/** Ids of the tasks that can be reached from a node along the plan's edges. */
function dependentIds(plan: CompiledPlan, nodeId: string): Set<string> {
  const ids = new Set<string>();
  const start = plan.vertices.findIndex(
    (vertex) => vertex.kind === "task" && parseTaskKey(vertex.key).nodeId === nodeId,
  );
  const seen = new Set<number>();
  const open = start < 0 ? [] : [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of (plan.vertices[at] as Vertex).successors) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
      const vertex = plan.vertices[next] as Vertex;
      if (vertex.kind === "task") ids.add(parseTaskKey(vertex.key).nodeId);
    }
  }
  return ids;
}

/** Makes the planned nodes pending again and leaves the run resumable, in one commit under `lease`. */
export async function applyReset(
  services: EngineServices,
  about: { image: RunImage; lease: Lease; plan: ResetPlan; request: ResetRequest },
): Promise<RunEvent[]> {
  const { image, lease, plan, request } = about;
  const { run } = image;
  const now = services.clock.now();
  const state = createState({ maxConcurrency: 1, nodes: image.nodes, controls: image.controls });
  const ledger = { nextSeq: run.nextSeq, frameNo: run.frameNo, openAttempts: new Map() };
  const commit = new CommitBuilder(state, ledger, lease, now);
  const { nodeId, iteration, resetDependents } = request;
  const resetNodes = plan.keys;
  commit.event({ type: "RetryTaskStarted", nodeId, iteration, resetDependents, resetNodes });
  for (const key of plan.keys) {
    const row = state.nodes.get(key)?.row;
    if (row === undefined) continue;
    row.state = "pending";
    row.failures = 0;
    row.identicalFailures = 0;
    row.failureFingerprint = null;
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    row.finishedSeq = null;
    row.error = null;
    row.updatedAtMs = now;
    commit.add([{ type: "node", key }]);
    if (row.outputKey !== "") {
      commit.removedOutputs.push({ outputKey: row.outputKey, nodeId: row.nodeId, iteration: row.iteration });
    }
  }
  for (const approval of image.approvals) {
    if (!plan.keys.includes(`${approval.nodeId}::${approval.iteration}`)) continue;
    const row = {
      ...approval,
      status: "requested" as const,
      decision: null,
      decidedAtMs: null,
      autoApproved: false,
    };
    commit.add([{ type: "approval", row }]);
  }
  for (const control of plan.controls) {
    state.controls.set(control.id, control);
    commit.add([{ type: "control", id: control.id }]);
  }
  commit.event({ type: "RetryTaskFinished", nodeId, iteration, resetNodes, success: true });
  commit.run = { status: "running", error: null, finishedAtMs: null, summary: null, release: true };
  await services.store.commit(commit.build());
  publish({ runId: run.runId, events: commit.events, watch: services.watch });
  return commit.events.map((event) => toRunEvent(run.runId, event));
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
