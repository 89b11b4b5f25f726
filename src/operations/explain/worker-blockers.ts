import { codeName } from "../../engine/index.js";
import type { RunRow } from "../../model/run.js";
import type { KnownWorker, Store, WaitingDispatch } from "../../store/index.js";
import { SILENT_MS } from "../list-workers.js";
import type { Blocker } from "./blocker.js";

/** Tasks that have begun for the run, and that no worker has taken. */
export async function workerBlockers(store: Store, run: RunRow, nowMs: number): Promise<Blocker[]> {
  const { fleet } = store;
  if (fleet === undefined || run.status !== "running" || run.ownerId === null) return [];
  const waiting = await fleet.waiting(run.runId);
  if (waiting.length === 0) return [];
  const workers = (await fleet.workers()).filter(({ silentMs }) => silentMs <= SILENT_MS);
  return waiting.map((each) => ({
    kind: "worker" as const,
    nodeId: each.nodeId,
    iteration: each.iteration,
    sinceMs: nowMs - each.waitedMs,
    queue: each.queue,
    summary: `${each.nodeId} waits for a worker of the queue ${each.queue}: ${whyNone(each, workers)}`,
    remedy: null,
  }));
}

function whyNone({ queue, code }: WaitingDispatch, workers: readonly KnownWorker[]): string {
  const ofQueue = workers.filter(({ queues }) => queues.includes(queue));
  if (ofQueue.length === 0) {
    return `none is running. Start one with: treadle worker FILE --queues ${queue}`;
  }
  const taking = ofQueue.filter(({ isDraining }) => !isDraining);
  if (taking.length === 0) return "those that are running are about to stop.";
  const ofCode = taking.filter(({ workflows }) => workflows.some((each) => each.code === code));
  if (ofCode.length === 0) {
    const names = taking.map(({ name }) => name).join(", ");
    return `${names} serve it, but have other code than the process that drives this run. Start one with the same code.`;
  }
  return "each of those with its code has as many tasks as it takes.";
}

/** Which worker takes a run up that no process drives; empty where no worker drives runs at all. */
export async function takenUpBy({ fleet }: Store, run: RunRow): Promise<string> {
  const driving =
    (await fleet?.workers())?.filter((each) => each.isDriving && each.silentMs <= SILENT_MS) ?? [];
  if (driving.length === 0) return "";
  const code = codeName(run.workflowHash, run.workflowName);
  const taking = driving.filter(
    (each) => !each.isDraining && each.workflows.some((own) => own.code === code),
  );
  if (taking.length > 0) return ` ${namesOf(taking)} takes it up, which drives runs of its code.`;
  return ` ${namesOf(driving)} drives runs, but has other code than this one or is about to stop. Start one with the same code: treadle worker FILE`;
}

function namesOf(workers: readonly KnownWorker[]): string {
  return `The worker ${workers.map(({ name }) => name).join(" or ")}`;
}
