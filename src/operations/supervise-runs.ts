import { CLAIMABLE_AFTER_MS, ownerLiveness } from "../engine/lease.js";
import { ensureError } from "../errors/ensure-error.js";
import { isTerminal, type RunResult, type RunRow } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import type { Store } from "../store/contract.js";
import { newestOfChain } from "../store/newest-of-chain.js";
import { type Clock, systemClock } from "../util/clock.js";
import { runWorkflow } from "./run-workflow.js";

/** Why a run is picked up. */
export type PickUpReason = "orphaned" | "due" | "answered";

export interface DueRun {
  run: RunRow;
  reason: PickUpReason;
}

/** Runs looked at in one pass. */
const LARGEST_PASS = 500;

/**
 * Runs that nobody drives and that could go on: their owner is gone, a timer or
 * deadline of theirs has come, or a decision or signal waits in their inbox.
 */
export async function findDueRuns(store: Store, nowMs: number): Promise<DueRun[]> {
  const running = await store.listRuns({ statuses: ["running"], limit: LARGEST_PASS });
  const waiting = await store.listRuns({
    statuses: ["waiting-approval", "waiting-event", "waiting-timer", "waiting-quota"],
    limit: LARGEST_PASS,
  });
  const due: DueRun[] = running
    .filter((run) => run.paused === null && isAbandoned(run, nowMs))
    .map((run) => ({ run, reason: "orphaned" }));
  for (const run of waiting) {
    // Only somebody who resumes it by hand ends a pause.
    if (run.paused !== null) continue;
    if (run.ownerId !== null) {
      // Claimed to go on with, but its owner died before it could say so.
      if (isAbandoned(run, nowMs)) due.push({ run, reason: "orphaned" });
      continue;
    }
    if (await isAnswered(store, run)) due.push({ run, reason: "answered" });
    else if (run.wakeAtMs !== null && run.wakeAtMs <= nowMs) due.push({ run, reason: "due" });
  }
  return due;
}

/** Something has arrived that the run's last owner had not seen, or a child run has ended. */
async function isAnswered(store: Store, run: RunRow): Promise<boolean> {
  const intents = await store.pendingIntents(run.runId);
  // A signal that nobody waits for stays in the inbox; only a new one is news.
  const isNews = intents.some(
    ({ kind, createdAtMs }) => kind !== "signal" || createdAtMs >= (run.heartbeatAtMs ?? 0),
  );
  if (isNews) return true;
  for (const { runId } of await store.listRuns({ parentRunId: run.runId, limit: LARGEST_PASS })) {
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
    for (const due of await findDueRuns(store, clock.now())) {
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
