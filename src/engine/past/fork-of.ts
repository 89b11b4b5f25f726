import type { Hold } from "../../model/alert.js";
import { taskKey } from "../../model/address.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { StoredScore } from "../../model/scorer.js";
import { hasEndedEarly, type RunRow } from "../../model/run.js";
import type { RunConfig, RunFork } from "../../model/run-config.js";
import type { NewRun, Store } from "../../store/index.js";
import type { Past } from "./past-of.js";

export interface ForkRequest {
  readonly runId: string;
  readonly label?: string | undefined;
  /** Replaces the input of the other run. @default that */
  readonly input?: Record<string, unknown> | undefined;
  /** Replaces stored options where given. */
  readonly config?: Partial<Pick<RunConfig, "auth">>;
  readonly nowMs: number;
}

const HOLD = taskKey({ nodeId: "run:fork", iteration: 0 });

/**
 * A run that has come as far as another one had, for the one transaction that makes it. It waits until a process
 * resumes it; what the other run's future brought is not in it, and child runs that were under way begin anew.
 */
export async function forkOf(store: Store, past: Past, request: ForkRequest): Promise<NewRun> {
  const { frameNo, rows } = past;
  const { run } = past.runSnapshot;
  const { runId, label, input, nowMs } = request;
  const reason = `it was made of run ${run.runId} at frame ${frameNo} and starts with a resume`;
  const hold: Hold = { kind: "hold", id: HOLD, reason, asks: false, sinceMs: nowMs, isOpen: true };
  const fork: RunFork = {
    runId: run.runId,
    frameNo,
    ...(label !== undefined && { label }),
    ...(hasEndedEarly(run) && past.isNewest && { reopens: true }),
  };
  const nodes = inOrder(rows.nodes);
  const body = {
    type: "RunForked" as const,
    parentRunId: run.runId,
    parentFrameNo: frameNo,
    ...(label !== undefined && { branchLabel: label }),
  };
  return {
    runId,
    // Not a part of the other run: neither is cancelled or deleted with it.
    parentRunId: null,
    workflowName: run.workflowName,
    workflowPath: run.workflowPath,
    workflowHash: run.workflowHash,
    config: { ...configOf(run), ...request.config, fork },
    input: input ?? {},
    ...(input === undefined && { inputOf: run.runId }),
    ownerId: null,
    nowMs,
    paused: { reason, sinceMs: nowMs },
    seed: {
      nodes,
      outputs: [],
      stored: rows.stored,
      // Alerts watch the new run from its start.
      controls: [...rows.controls.filter(({ kind }) => kind !== "hold" && kind !== "alert"), hold],
      approvals: past.approvals.map((row) => ({ ...row, runId })),
      attempts: await attemptsOf(store, run, nodes),
      scores: await scoresOf(store, run, nodes),
      signals: past.signals.map((signal) => ({ ...signal, runId })),
      events: [{ seq: 0, timestampMs: nowMs, body }],
    },
  };
}

function configOf({ config }: RunRow): RunConfig {
  const { launch, continuation, traceparent: _asked, ...kept } = config;
  const { children: _children, ...carried } = continuation ?? {};
  return {
    ...kept,
    // The hash is of a request that this run does not answer.
    ...(launch !== undefined && { launch: { key: launch.key } }),
    ...(continuation !== undefined && { continuation: carried as typeof continuation }),
  };
}

/** Rows are listed in order of completion: those that come along before those of the new run. */
function inOrder(rows: readonly NodeRow[]): NodeRow[] {
  const never = Number.POSITIVE_INFINITY;
  const sorted = rows.toSorted((a, b) => (a.finishedSeq ?? never) - (b.finishedSeq ?? never));
  return sorted.map((row, at) => ({
    ...row,
    finishedSeq: row.finishedSeq === null ? null : at - sorted.length,
  }));
}

/** Of the rows that come along: tasks may read them. One that is still to come is asked for again. */
async function scoresOf(store: Store, { runId }: RunRow, nodes: readonly NodeRow[]): Promise<StoredScore[]> {
  const last = new Map(nodes.map((row) => [taskKey(row), row.lastAttempt]));
  const scores = await store.storedScores(runId);
  return scores.filter((score) => score.attempt <= (last.get(taskKey(score)) ?? 0));
}

/** All that the nodes had until then. */
async function attemptsOf(store: Store, { runId }: RunRow, nodes: readonly NodeRow[]): Promise<AttemptRow[]> {
  const last = new Map(nodes.map((row) => [taskKey(row), row.lastAttempt]));
  const attempts = await store.listAttempts(runId);
  return attempts.flatMap((row) => {
    const { queue: _queue, ownerId: _owner, leaseExpiresAtMs: _lease, ...attempt } = row;
    return attempt.attempt <= (last.get(taskKey(row)) ?? 0) ? [attempt] : [];
  });
}
