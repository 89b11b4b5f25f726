import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, isWaiting, type RunResult } from "../../model/run.js";
import { storedResult } from "../../operations/read/stored-result.js";
import type { ServiceDb } from "../../store/service-db.js";
import { runFamily } from "../runs/run-family.js";

export interface StayOptions {
  db: ServiceDb;
  /** Stay also for decisions and signals that have no deadline. */
  wait: boolean;
  signal: AbortSignal;
  /** Continues the run and returns where it stands then. */
  resume(runId: string): Promise<RunResult>;
}

/** How often decisions and signals from other processes are looked for, milliseconds. */
const POLL_MS = 250;

/** Another process drives the run: nothing is wrong, there is only nothing to do here. */
const TAKEN = ["RUN_OWNER_ALIVE", "RUN_STILL_RUNNING", "RUN_RESUME_CLAIM_FAILED"];

/**
 * Stays with a waiting run as long as something will move it by itself: a timer,
 * a back-off, a quota reset, a wait with a deadline. Continues it when one is
 * due, or as soon as a decision or signal arrives. Returns once the run has
 * ended, waits for people only, or the signal fires.
 */
export async function stayAwake(first: RunResult, options: StayOptions): Promise<RunResult> {
  const { db, wait, signal } = options;
  const seenIntents = new Set<number>();
  let result = first;
  while (isWaiting(result.status) && !signal.aborted) {
    const { runId } = result;
    // Only somebody who resumes it ends a pause.
    if ((await db.store.getRun(runId))?.paused != null) return result;
    const dueAtMs = await wakeTime(db, runId);
    const isNew = await hasNewIntent(db, runId, seenIntents);
    if (!isNew) {
      if (dueAtMs === undefined && !wait) return result;
      await untilNews(runId, { ...options, dueAtMs, seenIntents });
    }
    if (signal.aborted) return result;
    result = await resumeOrWatch(runId, options);
  }
  return result;
}

/** Epoch ms at which the run or a child run of it moves by itself. */
async function wakeTime(db: ServiceDb, runId: string): Promise<number | undefined> {
  const times: number[] = [];
  for (const member of await runFamily(db, runId)) {
    const run = await db.store.getRun(member);
    if (run?.wakeAtMs != null && run.paused === null && isWaiting(run.status)) times.push(run.wakeAtMs);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Each intent is news once: one that no waiter takes stays in the inbox. */
async function hasNewIntent(db: ServiceDb, runId: string, seen: Set<number>): Promise<boolean> {
  const before = seen.size;
  for (const member of await runFamily(db, runId)) {
    for (const { id } of await db.store.pendingIntents(member)) seen.add(id);
  }
  return seen.size > before;
}

async function untilNews(
  runId: string,
  {
    db,
    signal,
    dueAtMs,
    seenIntents,
  }: StayOptions & { dueAtMs: number | undefined; seenIntents: Set<number> },
): Promise<void> {
  while (!signal.aborted) {
    if (dueAtMs !== undefined && Date.now() >= dueAtMs) return;
    if (await hasNewIntent(db, runId, seenIntents)) return;
    const run = await db.store.getRun(runId);
    // Somebody else continued or ended it.
    if (run === undefined || run.ownerId !== null || !isWaiting(run.status)) return;
    const pause = Math.min(POLL_MS, dueAtMs === undefined ? POLL_MS : Math.max(1, dueAtMs - Date.now()));
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

/** Continues the run, or watches it while another process does. */
async function resumeOrWatch(runId: string, { db, signal, resume }: StayOptions): Promise<RunResult> {
  for (;;) {
    const run = await db.store.getRun(runId);
    if (run !== undefined && isTerminal(run.status)) return storedResult(db.store, run);
    try {
      return await resume(runId);
    } catch (error) {
      if (!TAKEN.some((code) => ServiceError.is(error, code)) || signal.aborted) throw error;
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
}
