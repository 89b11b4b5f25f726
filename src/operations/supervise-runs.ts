import { CLAIMABLE_AFTER_MS } from "../engine/session/lease.js";
import { ownerLiveness } from "../engine/session/owner.js";
import { ensureError } from "../errors/ensure-error.js";
import { isTerminal, type RunResult, type RunRow } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import type { Store } from "../store/contract.js";
import { newestOfChain } from "../store/newest-of-chain.js";
import { type Clock, systemClock } from "../util/clock.js";
import { eachChildRun, eachRun } from "./drive/each-run.js";
import { runWorkflow } from "./run-workflow.js";

/** Why a run is picked up. */
export type PickUpReason = "orphaned" | "due" | "answered";

export interface DueRun {
  run: RunRow;
  reason: PickUpReason;
}

/**
 * Runs that nobody drives and that could go on: their owner is gone, a timer or
 * deadline of theirs has come, or a decision or signal waits in their inbox.
 * Oldest first.
 */
export async function findDueRuns(store: Store, nowMs: number): Promise<DueRun[]> {
  const due: DueRun[] = [];
  for await (const each of eachDueRun(store, nowMs)) due.push(each);
  return due;
}

/** As findDueRuns, looking only as far as the reader reads. */
async function* eachDueRun(store: Store, nowMs: number): AsyncGenerator<DueRun> {
  for await (const run of eachRun((page) => store.stirringRuns({ nowMs, ...page }))) {
    const reason = await reasonOf(store, run, nowMs);
    if (reason !== undefined) yield { run, reason };
  }
}

async function reasonOf(store: Store, run: RunRow, nowMs: number): Promise<PickUpReason | undefined> {
  // Claimed to go on with, a waiting run can have lost its owner before that could say so.
  if (run.status === "running" || run.ownerId !== null)
    return isAbandoned(run, nowMs) ? "orphaned" : undefined;
  if (await isAnswered(store, run)) return "answered";
  return run.wakeAtMs !== null && run.wakeAtMs <= nowMs ? "due" : undefined;
}

/** Something has arrived that the run's last owner had not seen, or a child run has ended. */
async function isAnswered(store: Store, run: RunRow): Promise<boolean> {
  const intents = await store.pendingIntents(run.runId);
  // A signal that nobody waits for stays in the inbox; only a new one is news.
  const isNews = intents.some(
    ({ intent, createdAtMs }) => intent.kind !== "signal" || createdAtMs >= (run.heartbeatAtMs ?? 0),
  );
  if (isNews) return true;
  for await (const { runId } of eachChildRun(store, run.runId)) {
    const child = await newestOfChain(store, runId);
    if (child === undefined || !isTerminal(child.status)) continue;
    if ((child.finishedAtMs ?? 0) >= (run.heartbeatAtMs ?? 0)) return true;
  }
  return false;
}

function isAbandoned(run: RunRow, nowMs: number): boolean {
  if (run.ownerId === null || ownerLiveness(run.ownerId) === "dead") return true;
  return nowMs - (run.heartbeatAtMs ?? run.createdAtMs) > CLAIMABLE_AFTER_MS;
}

export interface SuperviseOptions {
  /** The workflow of a run; undefined for runs this supervisor does not know. */
  workflowFor(run: RunRow): Promise<ServiceWorkflow | undefined>;
  /** Milliseconds between passes. @default 1000 */
  intervalMs?: number;
  /** Runs driven at the same time. @default 3 */
  maxConcurrent?: number;
  /** Ends the supervisor; runs it drives are stopped and stay resumable. */
  signal: AbortSignal;
  onPickUp?(due: DueRun): void;
  onEnd?(result: RunResult): void;
  onError?(run: RunRow, error: Error): void;
  clock?: Clock;
}

/** Failed starts of a run after which the supervisor leaves it alone. */
const MOST_FAILED_STARTS = 3;

/** Picks up due runs until its signal fires. */
export async function superviseRuns(store: Store, options: SuperviseOptions): Promise<void> {
  const { signal, clock = systemClock, intervalMs = 1_000, maxConcurrent = 3 } = options;
  const driving = new Map<string, Promise<void>>();
  const failedStarts = new Map<string, number>();
  while (!signal.aborted) {
    for await (const due of eachDueRun(store, clock.now())) {
      const { runId } = due.run;
      if (driving.size >= maxConcurrent) break;
      if (driving.has(runId) || (failedStarts.get(runId) ?? 0) >= MOST_FAILED_STARTS) continue;
      const work = pickUp(due, options)
        .catch((error: unknown) => {
          failedStarts.set(runId, (failedStarts.get(runId) ?? 0) + 1);
          options.onError?.(due.run, ensureError(error));
        })
        .finally(() => driving.delete(runId));
      driving.set(runId, work);
    }
    await sleep(clock, intervalMs, signal);
  }
  await Promise.all(driving.values());
}

async function pickUp(due: DueRun, options: SuperviseOptions): Promise<void> {
  const workflow = await options.workflowFor(due.run);
  if (workflow === undefined) return;
  options.onPickUp?.(due);
  const { runId } = due.run;
  options.onEnd?.(await runWorkflow(workflow, { runId, resume: true, signal: options.signal }));
}

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const disarm = clock.setDelay(ms, done);
    function done() {
      disarm();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
