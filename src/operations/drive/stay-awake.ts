import { isClaimedByOthers } from "../../engine/index.js";
import { isTerminal, isWaiting, type RunResult } from "../../model/run.js";
import { onOutsideChange, type Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { Nudge } from "../../util/nudge.js";
import { pause } from "../../util/pause.js";
import { foreignChildren } from "../children/foreign-children.js";
import { runFamily } from "../children/run-family.js";
import { storedResult } from "../read/stored-result.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { reasonElsewhere } from "../supervise/due-runs.js";

export interface StayOptions {
  /** Stay also for decisions and signals that have no deadline. */
  wait: boolean;
  signal: AbortSignal;
  /** Continues the run and returns where it stands then. `isForCode`: newer code is all that is new. */
  resume(runId: string, why: { isForCode: boolean }): Promise<RunResult>;
  /** Newer code, which a run takes up when it is resumed. @default none */
  news?: { readonly hasNews: boolean; onNews(listener: () => void): () => void };
  /** @default the database's */
  clock?: Clock;
}

/** Decisions and signals of other processes are found at the latest after this time, milliseconds. */
const POLL_MS = 250;

/** A process that has died writes nothing: its run is asked for at the latest after this time, milliseconds. */
const CLAIM_AGAIN_MS = 1_000;

/** A wait that is looked after. */
interface Watch extends StayOptions {
  store: Store;
  clock: Clock;
  seenIntents: Set<number>;
}

/**
 * Stays with a waiting run as long as something will move it by itself: a timer,
 * a back-off, a quota reset, a wait with a deadline, an alert. Continues it when one is
 * due, or as soon as a decision or signal arrives. Returns once the run has
 * ended, waits for people only, or the signal fires.
 */
export async function stayAwake(
  target: OperationTarget,
  first: RunResult,
  options: StayOptions,
): Promise<RunResult> {
  const store = await storeOf(target);
  const watch: Watch = { clock: store.clock, ...options, store, seenIntents: new Set() };
  const { wait, signal } = options;
  let result = first;
  while (isWaiting(result.status) && !signal.aborted) {
    const { runId } = result;
    // Only a resume ends a pause.
    if ((await store.getRun(runId))?.paused != null) return result;
    const dueAtMs = await wakeTime(store, runId);
    const isNew = await hasNewIntent(runId, watch);
    let isForCode = !isNew && options.news?.hasNews === true;
    if (!isNew && !isForCode) {
      if (dueAtMs === undefined && !wait) return result;
      isForCode = (await untilNews(runId, { ...watch, dueAtMs })) === "code";
    }
    if (signal.aborted) return result;
    result = await resumeOrWatch(runId, watch, { isForCode });
  }
  return result;
}

/** Epoch ms at which the run or a child run of it moves by itself, or an alert about it is due. */
export async function wakeTime(store: Store, runId: string): Promise<number | undefined> {
  const times: number[] = [];
  for (const member of await runFamily(store, runId)) {
    const run = await store.getRun(member);
    if (run?.wakeAtMs != null && run.paused === null && isWaiting(run.status)) times.push(run.wakeAtMs);
    for await (const { child, store: own } of foreignChildren(store, member)) {
      const atMs = isTerminal(child.status) ? undefined : await wakeTime(own, child.runId);
      if (atMs !== undefined) times.push(atMs);
    }
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Each intent is news once: one that no waiter takes stays in the inbox. */
async function hasNewIntent(runId: string, { store, seenIntents }: Watch): Promise<boolean> {
  const before = seenIntents.size;
  for (const member of await runFamily(store, runId)) {
    for (const { id } of await store.pendingIntents(member)) seenIntents.add(id);
  }
  return seenIntents.size > before;
}

async function untilNews(
  runId: string,
  watch: Watch & { dueAtMs: number | undefined },
): Promise<"code" | "other"> {
  const { store, clock, signal, dueAtMs, news } = watch;
  const parents = await parentsOfForeign(store, runId);
  const nudge = new Nudge();
  const forget = onNews(runId, watch, { nudge, isTimed: dueAtMs !== undefined || parents.length > 0 });
  try {
    while (!signal.aborted) {
      if (news?.hasNews === true) return "code";
      if (dueAtMs !== undefined && clock.now() >= dueAtMs) return "other";
      if (await hasNewIntent(runId, watch)) return "other";
      for (const parent of parents) {
        if ((await reasonElsewhere(store, parent, { nowMs: clock.now() })) !== undefined) return "other";
      }
      const run = await store.getRun(runId);
      // Another process continued or ended it.
      if (run === undefined || run.ownerId !== null || !isWaiting(run.status)) return "other";
      if (dueAtMs === undefined) await nudge.next(signal);
      else await pause(clock, Math.max(1, dueAtMs - clock.now()), { signal, nudge });
    }
  } finally {
    forget();
  }
  return "other";
}

/**
 * Nudges for what may move the run. `isTimed`: also when nothing has changed in its database, since a calendar can be
 * set forward, and child runs in other databases write nothing to this one.
 */
function onNews(
  runId: string,
  { store, clock, news }: Watch,
  { nudge, isTimed }: { nudge: Nudge; isTimed: boolean },
): () => void {
  const wake = () => nudge.nudge();
  const request = { clock, everyMs: POLL_MS, ...(isTimed && { quietMs: POLL_MS }) };
  const forgets = [
    store.onChange((changed) => {
      if (changed === runId) wake();
    }),
    store.onIntent(wake),
    onOutsideChange(store, request, wake),
    news?.onNews(wake),
  ];
  return () => {
    for (const forget of forgets) forget?.();
  };
}

/** The run, and child runs below it, with children in other databases: as long as no process drives it, these stay the same. */
async function parentsOfForeign(store: Store, runId: string): Promise<string[]> {
  const parents: string[] = [];
  for (const member of await runFamily(store, runId)) {
    for await (const _child of foreignChildren(store, member)) {
      parents.push(member);
      break;
    }
  }
  return parents;
}

/** Continues the run, or watches it while another process does. */
async function resumeOrWatch(runId: string, watch: Watch, why: { isForCode: boolean }): Promise<RunResult> {
  const { store, clock, signal, resume } = watch;
  const nudge = new Nudge();
  const forget = onNews(runId, watch, { nudge, isTimed: false });
  try {
    for (;;) {
      const run = await store.getRun(runId);
      if (run !== undefined && isTerminal(run.status)) return storedResult(store, run);
      try {
        return await resume(runId, why);
      } catch (error) {
        if (!isClaimedByOthers(error) || signal.aborted) throw error;
        await pause(clock, CLAIM_AGAIN_MS, { signal, nudge });
      }
    }
  } finally {
    forget();
  }
}
