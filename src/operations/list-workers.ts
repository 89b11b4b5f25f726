import type { KnownWorker } from "../store/index.js";
import { type OperationTarget, storeOf } from "./request/target.js";

/** A worker that has given a sign of life lately. */
export interface WorkerView {
  /** Of its process: `<host>/<pid>/…`. */
  id: string;
  /** Its name, or that of its machine. */
  name: string;
  /** The queues that it serves. */
  queues: readonly string[];
  /** Names of the workflows that it has loaded, and of their code. */
  workflows: readonly { name: string; code: string }[];
  /** Tasks that it executes at once. */
  concurrency: number;
  /** It also drives runs of these workflows. */
  isDriving: boolean;
  /** Tasks that it has. */
  running: number;
  /** It finishes what it has and takes nothing more. */
  isDraining: boolean;
  /** It gave its last sign of life longer ago than a worker may that lives. */
  isSilent: boolean;
  /** Milliseconds since then. */
  silentMs: number;
}

/** A worker that is silent for longer counts as dead, milliseconds. */
export const SILENT_MS = 10_000;

/**
 * Workers of the database, by name. Empty where the database is no Postgres server: its tasks are executed by the
 * process that drives their run. One that was killed is listed as silent for ten minutes.
 */
export async function listWorkers(target: OperationTarget): Promise<WorkerView[]> {
  const { fleet } = await storeOf(target);
  const workers = fleet === undefined ? [] : await fleet.workers();
  return workers
    .map(viewOf)
    .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
}

function viewOf(worker: KnownWorker): WorkerView {
  const { id, name, queues, workflows, concurrency, running, isDraining, silentMs } = worker;
  const isDriving = worker.isDriving === true;
  const isSilent = silentMs > SILENT_MS;
  return { id, name, queues, workflows, concurrency, isDriving, running, isDraining, isSilent, silentMs };
}
