import { HEARTBEAT_MS } from "../engine/index.js";
import type { NodeRow } from "../model/node.js";
import { hasEndedForGood, isTerminal, type RunRow, type RunState, type RunStatus } from "../model/run.js";
import { newestOfChain, type Store } from "../store/index.js";
import { formatDuration } from "../util/duration.js";
import type { Blocker } from "./explain/blocker.js";
import { childRunsOf, endedChildBlockers, suspendedNodes } from "./children/child-runs.js";
import { foreignChildren } from "./children/foreign-children.js";
import { queueBlocker } from "./explain/queue-blocker.js";
import { resumeBlockers } from "./explain/resume-blockers.js";
import { limitBlockers } from "./explain/limit-blockers.js";
import { holdBlockers } from "./explain/hold-blockers.js";
import { scoreBlockers } from "./explain/score-blocker.js";
import { remedyOf } from "./remedies/error-remedy.js";
import { type ResumeRemedy, resumeRemedy } from "./remedies/resume.js";
import { retriedTask } from "./remedies/retry-task.js";
import { requireRun } from "./request/require-run.js";
import { recoverySummary, runRecoveryOf } from "./read/run-recovery.js";
import { isQueued, runStateOf } from "./read/run-state.js";
import { runStopOf } from "./read/run-stop.js";
import { type OperationTarget, storeOf } from "./request/target.js";
import { turnBlockers } from "./explain/turn-blockers.js";
import { takenUpBy, workerBlockers } from "./explain/worker-blockers.js";
import { waitBlockers } from "./explain/wait-blockers.js";

/** Where a run stands and what keeps it from continuing. */
export interface RunExplanation {
  runId: string;
  /** As it is stored. */
  status: RunStatus;
  /** The status, corrected by whether its owner is alive. */
  runState: RunState;
  /** Epoch milliseconds of the owner's last sign of life; null when no process has driven it. */
  lastHeartbeatAtMs: number | null;
  /** The run that continues it; null when it did not continue as new. */
  nextRunId: string | null;
  /** Each with what to do about it; empty for a run that is done. */
  blockers: Blocker[];
}

/**
 * Everything that keeps a run from continuing: each wait, each back-off, a dead
 * owner, the failure that ended it. For a task that waits for a child run these
 * are the child's, with its `runId`. Of a run that moves: the tasks whose turn has not come, because of
 * what they depend on, of a cap or of a named limit. Empty for one that is done.
 * @throws RUN_NOT_FOUND
 */
export async function explainRun(target: OperationTarget, runId: string): Promise<RunExplanation> {
  const store = await storeOf(target);
  return explainWith(store, await requireRun(store, runId), store.clock.now());
}

/** As `explainRun`, of a run as it has just been read. */
export async function explainWith(store: Store, run: RunRow, nowMs: number): Promise<RunExplanation> {
  const liveness = runStateOf(run, nowMs, HEARTBEAT_MS);
  const { runId, status, nextRunId } = run;
  // Its open waits stay open, and the run that continues it has its own explanation.
  if (hasEndedForGood(run)) {
    return { runId, status, ...liveness, nextRunId, blockers: [] };
  }
  const nodes = await store.listNodes(runId);
  const resume = await resumeRemedy(store, run);
  const holds = await holdBlockers(store, run, { nodes, resume });
  const children = await childRunsOf(store, runId);
  const suspended = suspendedNodes(run, nodes, children);
  const abroad = await foreignBlockers(store, run, { nodes, resume, nowMs });
  const isSuspended = new Set([...suspended.map(({ node }) => node), ...abroad.nodes]);
  const waits = await waitBlockers(store, run, {
    nodes: nodes.filter((node) => !isSuspended.has(node)),
    resume,
    nowMs,
  });
  const blockers: Blocker[] = [
    ...(isQueued(run)
      ? [await queueBlocker(store, run)]
      : await ownerBlockers(store, run, { ...liveness, resume, nowMs })),
    ...(await resumeBlockers(store, run, resume)),
    ...holds,
    // Nothing ends by itself in a run that is held.
    ...(holds.length === 0 ? waits : waits.map(({ untilMs: _untilMs, ...wait }) => wait)),
    ...retryBlockers(run, nodes),
    ...(await failureBlockers(store, run, resume)),
    ...(await endedChildBlockers(store, suspended, resume)),
    ...abroad.blockers,
    ...(await turnBlockers(store, run, { nodes, isHeld: holds.length > 0 })),
    ...(await limitBlockers(store, run, nowMs)),
    ...(await workerBlockers(store, run, nowMs)),
    ...(await scoreBlockers(store, run, nodes)),
  ];
  for (const child of children) {
    const newest = (await newestOfChain(store, child.runId)) ?? child;
    if (isTerminal(newest.status)) continue;
    const below = await explainWith(store, newest, nowMs);
    blockers.push(...below.blockers.map((blocker) => ({ runId: newest.runId, ...blocker })));
  }
  return { runId, status, ...liveness, nextRunId, blockers };
}

/** Blockers of child runs in other databases; their remedies apply there. */
async function foreignBlockers(
  store: Store,
  { runId }: RunRow,
  { nodes, resume, nowMs }: { nodes: readonly NodeRow[]; resume: ResumeRemedy; nowMs: number },
): Promise<{ nodes: NodeRow[]; blockers: Blocker[] }> {
  const waiting: NodeRow[] = [];
  const blockers: Blocker[] = [];
  for await (const { node, child, store: own, path } of foreignChildren(store, runId, { nodes })) {
    waiting.push(node);
    if (isTerminal(child.status)) {
      blockers.push(...(await endedChildBlockers(own, [{ node, child }], resume)));
      continue;
    }
    const below = await explainWith(own, child, nowMs);
    for (const blocker of below.blockers) {
      const summary = `${blocker.summary} It is in the database ${path}.`;
      blockers.push({ runId: child.runId, ...blocker, summary, remedy: null });
    }
  }
  return { nodes: waiting, blockers };
}

async function ownerBlockers(
  store: Store,
  run: RunRow,
  { runState, resume, nowMs }: { runState: RunState; resume: ResumeRemedy; nowMs: number },
): Promise<Blocker[]> {
  const recovery = runRecoveryOf(run, nowMs);
  const blocker = await ownerBlocker(store, run, { runState, resume, nowMs });
  if (recovery === null) return blocker === undefined ? [] : [blocker];
  const { notBeforeMs } = recovery;
  const died = recoverySummary(recovery, nowMs);
  return [
    {
      ...(blocker ?? { kind: "owner", sinceMs: run.heartbeatAtMs, remedy: resume }),
      ...(notBeforeMs !== null && { untilMs: notBeforeMs }),
      summary: blocker === undefined ? died : `${blocker.summary} ${died}`,
    },
  ];
}

async function ownerBlocker(
  store: Store,
  run: RunRow,
  { runState, resume, nowMs }: { runState: RunState; resume: ResumeRemedy; nowMs: number },
): Promise<Blocker | undefined> {
  if (runState === "stopped") {
    const stop = await runStopOf(store, run.runId);
    const by = stop === null ? "" : ` It was stopped: ${stop.reason.replace(/\.$/, "")}.`;
    const sinceMs = stop?.atMs ?? run.heartbeatAtMs;
    const next = await takenUpBy(store, run);
    return { kind: "owner", sinceMs, summary: `No process drives this run.${by}${next}`, remedy: resume };
  }
  if (runState !== "orphaned" && runState !== "stale") return undefined;
  const last = run.heartbeatAtMs;
  const ago =
    last === null
      ? "there never was one"
      : last > nowMs
        ? `the last one lies ${formatDuration(last - nowMs)} in the future, since a clock was set back`
        : `the last one was ${formatDuration(nowMs - last)} ago`;
  return {
    kind: "owner",
    sinceMs: last,
    summary: `The process that drives this run gives no heartbeat; ${ago}.${await takenUpBy(store, run)}`,
    remedy: resume,
  };
}

function retryBlockers(run: RunRow, nodes: readonly NodeRow[]): Blocker[] {
  if (run.status !== "running") return [];
  return nodes
    .filter((node) => node.state === "pending" && node.dueAtMs !== null && node.failures > 0)
    .map((node) => ({
      kind: "retry" as const,
      nodeId: node.nodeId,
      iteration: node.iteration,
      sinceMs: node.updatedAtMs,
      untilMs: node.dueAtMs as number,
      failures: node.failures,
      error: node.error,
      summary: `${node.nodeId} failed ${node.failures === 1 ? "once" : `${node.failures} times`} and is tried again: ${node.error?.message ?? ""}`,
      remedy: { action: "events" as const, runId: run.runId, nodeId: node.nodeId, types: ["NodeFailed"] },
    }));
}

async function failureBlockers(store: Store, run: RunRow, resume: ResumeRemedy): Promise<Blocker[]> {
  if (run.status !== "failed" || run.error === null) return [];
  const { nodeId, iteration } = (run.error.details ?? {}) as { nodeId?: string; iteration?: number };
  const { code } = run.error;
  const again = remedyOf({ code, details: { ...run.error.details, runId: run.runId } });
  return [
    {
      kind: "failed-task",
      ...(nodeId !== undefined && { nodeId }),
      ...(iteration !== undefined && { iteration }),
      sinceMs: run.finishedAtMs,
      error: run.error,
      summary: run.error.message,
      // A resume keeps what a person has decided, and a row that cannot be used.
      remedy:
        again?.action === "retry-task"
          ? { action: "retry-task", ...(await retriedTask(store, run, again)) }
          : // The same code would end in the same way.
            {
              ...resume,
              ...(run.error.code === "SCHEDULER_ERROR" && { acceptWorkflowChange: true as const }),
            },
    },
  ];
}
