import { HEARTBEAT_MS } from "../engine/lease.js";
import type { RunEvent } from "../model/events.js";
import type { NodeRow } from "../model/node.js";
import type { RunRow, RunState, RunStatus } from "../model/run.js";
import type { Store } from "../store/contract.js";
import { formatDuration } from "../util/duration.js";
import type { Blocker } from "./blocker.js";
import { childRunsOf, endedChildBlockers, goesOn, parkedNodes } from "./child-runs.js";
import { holdBlockers } from "./hold-blockers.js";
import { requireRun } from "./require-run.js";
import { runStateOf } from "./run-state.js";
import { type OperationTarget, storeOf } from "./target.js";

export interface RunExplanation {
  runId: string;
  status: RunStatus;
  runState: RunState;
  lastHeartbeatAtMs: number | null;
  blockers: Blocker[];
}

/**
 * Everything that keeps a run from going on: each wait, each back-off, a dead
 * owner, the failure that ended it. For a task that waits for a child run these
 * are the child's, with its `runId`. Empty for a run that is moving or done.
 * @throws RUN_NOT_FOUND
 */
export async function explainRun(target: OperationTarget, runId: string): Promise<RunExplanation> {
  return explainWith(await storeOf(target), runId, Date.now());
}

export async function explainWith(store: Store, runId: string, nowMs: number): Promise<RunExplanation> {
  const run = await requireRun(store, runId);
  const liveness = runStateOf(run, nowMs, HEARTBEAT_MS);
  const nodes = await store.listNodes(runId);
  const holds = await holdBlockers(store, run, nodes);
  const children = await childRunsOf(store, runId);
  const parked = parkedNodes(runId, nodes, children);
  const isParked = new Set(parked.map(({ node }) => node));
  const waits = await waitBlockers(
    store,
    run,
    nodes.filter((node) => !isParked.has(node)),
  );
  const blockers: Blocker[] = [
    ...ownerBlockers(run, liveness, nowMs),
    ...holds,
    // Nothing ends by itself in a run that is held.
    ...(holds.length === 0 ? waits : waits.map(({ untilMs: _untilMs, ...wait }) => wait as Blocker)),
    ...retryBlockers(run, nodes),
    ...failureBlockers(run),
    ...(await endedChildBlockers(store, parked)),
  ];
  for (const child of children.filter(goesOn)) {
    const below = await explainWith(store, child.runId, nowMs);
    blockers.push(...below.blockers.map((blocker) => ({ runId: child.runId, ...blocker })));
  }
  return { runId, status: run.status, ...liveness, blockers };
}

function ownerBlockers(run: RunRow, { runState }: { runState: RunState }, nowMs: number): Blocker[] {
  if (runState !== "orphaned" && runState !== "stale") return [];
  const last = run.heartbeatAtMs;
  const ago = last === null ? "there never was one" : `the last one was ${formatDuration(nowMs - last)} ago`;
  return [
    {
      kind: "owner",
      sinceMs: last,
      ownerId: run.ownerId,
      summary:
        run.ownerId === null
          ? "No process drives this run."
          : `The process that drives this run gives no heartbeat; ${ago}.`,
      fix: `treadle up --resume ${run.runId}`,
    },
  ];
}

async function waitBlockers(store: Store, run: RunRow, nodes: readonly NodeRow[]): Promise<Blocker[]> {
  const waiting = nodes.filter((node) => node.state.startsWith("waiting-"));
  if (waiting.length === 0) return [];
  const [approvals, intents, events] = await Promise.all([
    store.listApprovals({ runId: run.runId, status: "requested", limit: 1_000 }),
    store.pendingIntents(run.runId),
    eventWaits(store, run.runId),
  ]);
  return waiting.map((node) => {
    const { nodeId, iteration } = node;
    const at = { nodeId, iteration, sinceMs: node.waitingSinceMs };
    const address = iteration === 0 ? nodeId : `${nodeId} --iteration ${iteration}`;
    switch (node.state) {
      case "waiting-approval": {
        const isDecided = intents.some(
          ({ kind, payload }) => kind === "approval" && (payload as { nodeId?: unknown }).nodeId === nodeId,
        );
        if (isDecided) {
          return {
            ...at,
            kind: "decision-pending" as const,
            summary: `${nodeId} was decided; a process has to take the decision up.`,
            fix: `treadle up --resume ${run.runId}`,
          };
        }
        const request = approvals.find((row) => row.nodeId === nodeId && row.iteration === iteration);
        return {
          ...at,
          kind: "approval" as const,
          ...(node.dueAtMs !== null && { untilMs: node.dueAtMs }),
          title: request?.request.title ?? node.label ?? nodeId,
          summary: `${nodeId} waits for a decision: ${request?.request.title ?? nodeId}.`,
          fix: `treadle approve ${run.runId} ${address}`,
        };
      }
      case "waiting-event": {
        const wait = events.find((event) => event.nodeId === nodeId && event.iteration === iteration);
        if (wait?.type === "RunHijacked") {
          return {
            ...at,
            kind: "hijack" as const,
            summary: `A person has taken over what the agent of ${nodeId} was doing.`,
            fix: `treadle hijack ${run.runId} ${address} --release`,
          };
        }
        const name = wait?.event ?? nodeId;
        const correlation = wait?.correlationId === undefined ? "" : ` --correlation ${wait.correlationId}`;
        return {
          ...at,
          kind: "event" as const,
          event: name,
          ...(wait?.correlationId !== undefined && { correlationId: wait.correlationId }),
          ...(node.dueAtMs !== null && { untilMs: node.dueAtMs }),
          summary: `${nodeId} waits for the signal ${name}.`,
          fix: `treadle signal ${run.runId} ${name}${correlation} --data '{}'`,
        };
      }
      case "waiting-quota":
        return {
          ...at,
          kind: "quota" as const,
          ...(node.dueAtMs !== null && { untilMs: node.dueAtMs }),
          summary: `${nodeId} waits for an agent's quota to reset.`,
          fix: `treadle up --resume ${run.runId}`,
        };
      default:
        return {
          ...at,
          kind: "timer" as const,
          ...(node.dueAtMs !== null && { untilMs: node.dueAtMs }),
          summary: `${nodeId} waits for its time.`,
          fix: `treadle up --resume ${run.runId}`,
        };
    }
  });
}

type EventWait = Extract<RunEvent, { type: "NodeWaitingEvent" | "RunHijacked" }>;

/** Newest first. */
async function eventWaits(store: Store, runId: string): Promise<EventWait[]> {
  const types: EventWait["type"][] = ["NodeWaitingEvent", "RunHijacked"];
  const stored = await store.listEvents(runId, { types, limit: 10_000, descending: true });
  return stored.map(({ event }) => event as EventWait);
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
      summary: `${node.nodeId} failed ${node.failures} time(s) and is tried again later: ${node.error?.message ?? ""}`,
      fix: `treadle events ${run.runId} --type NodeFailed`,
    }));
}

function failureBlockers(run: RunRow): Blocker[] {
  if (run.status !== "failed" || run.error === null) return [];
  const { nodeId, iteration } = (run.error.details ?? {}) as { nodeId?: string; iteration?: number };
  return [
    {
      kind: "failed-task",
      ...(nodeId !== undefined && { nodeId }),
      ...(iteration !== undefined && { iteration }),
      sinceMs: run.finishedAtMs,
      error: run.error,
      summary: run.error.message,
      fix: `treadle up --resume ${run.runId}`,
    },
  ];
}
