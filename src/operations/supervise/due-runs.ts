import { childRunId } from "../../model/child-run-id.js";
import { isAliveAt, isOwned } from "../../engine/index.js";
import { isTerminal, isWaiting, type RunRow, type RunStatus } from "../../model/run.js";
import { newestOfChain, type Store, type WakingQuery } from "../../store/index.js";
import { foreignChildren, OtherDatabases } from "../children/foreign-children.js";
import { runFamily } from "../children/run-family.js";
import { readableRows } from "../read/readable-rows.js";
import { isQueued } from "../read/run-state.js";
import { eachRun } from "../drive/each-run.js";

/** Why a run is picked up. */
export type PickUpReason = "orphaned" | "stopped" | "queued" | "due" | "answered";

/** A run that could continue, and why. */
export interface DueRun {
  /** The run as it is stored. */
  run: RunRow;
  /** `orphaned`: its process died; `stopped`: its last owner released it; `queued`: no process has begun it; `due`: its time has come; `answered`: an answer has arrived. */
  reason: PickUpReason;
}

/**
 * Runs that no process drives and that could continue: their owner is gone, a timer or
 * deadline of theirs has come, or a decision or signal waits in their inbox.
 * Oldest first.
 */
export async function findDueRuns(store: Store, nowMs: number, onDamage?: OnDamage): Promise<DueRun[]> {
  const due: DueRun[] = [];
  for await (const each of eachDueRun(store, nowMs, onDamage === undefined ? {} : { onDamage }))
    due.push(each);
  return due;
}

/** `run` is absent when its own row cannot be read. */
export type OnDamage = (runId: string, error: unknown, run?: RunRow) => void;

export interface DueListeners {
  /** A run whose rows cannot be read is reported and left out; without it, that is thrown. */
  onDamage?: OnDamage;
  /** Of each run that time alone may make due: it is due now, or another process may stop driving it. */
  onStirring?(): void;
}

/** As findDueRuns, looking only as far as the reader reads. */
export async function* eachDueRun(
  store: Store,
  nowMs: number,
  { onDamage, onStirring }: DueListeners = {},
): AsyncGenerator<DueRun> {
  const found = new Set<string>();
  const others = new OtherDatabases();
  const readPage = (page: Omit<WakingQuery, "nowMs">) =>
    onDamage === undefined
      ? store.wakingRuns({ nowMs, ...page })
      : readableRows((except) => store.wakingRuns({ nowMs, except, ...page }), onDamage);
  try {
    for await (const run of eachRun(readPage)) {
      onStirring?.();
      const due = await dueRunOf(store, run, { nowMs, others }).catch((error: unknown) => {
        if (onDamage === undefined) throw error;
        onDamage(run.runId, error, run);
      });
      if (due === undefined || found.has(due.run.runId)) continue;
      found.add(due.run.runId);
      yield due;
    }
  } finally {
    await others.close();
  }
}

/** When it is looked, and what is open meanwhile. */
interface Look {
  nowMs: number;
  /** @default none */
  others?: OtherDatabases;
}

async function dueRunOf(store: Store, run: RunRow, look: Look): Promise<DueRun | undefined> {
  const reason = await reasonOf(store, run, look);
  if (reason === undefined) return undefined;
  const root = await drivenThrough(store, run, look.nowMs);
  return root === undefined ? undefined : { run: root, reason };
}

async function reasonOf(store: Store, run: RunRow, look: Look): Promise<PickUpReason | undefined> {
  const { nowMs } = look;
  // Claimed to continue with, a waiting run can have lost its owner before that could say so.
  if (run.status === "running" || run.ownerId !== null)
    return isAbandoned(run, nowMs) ? abandonment(run) : undefined;
  if (await isAnswered(store, run)) return "answered";
  if (run.wakeAtMs !== null && run.wakeAtMs <= nowMs) return "due";
  return reasonElsewhere(store, run.runId, look);
}

/** The reason to continue a run that a child run in another database, or one below it, gives. */
export async function reasonElsewhere(
  store: Store,
  runId: string,
  look: Look,
): Promise<PickUpReason | undefined> {
  const { others } = look;
  const about = others === undefined ? {} : { others };
  for await (const { child, store: own } of foreignChildren(store, runId, about)) {
    if (isTerminal(child.status)) return "answered";
    for (const id of await runFamily(own, child.runId)) {
      const member = await own.getRun(id);
      if (member === undefined || member.paused !== null) continue;
      const reason = await reasonOf(own, member, look);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** Something has arrived that the run's last owner had not seen, or a child run has ended. */
async function isAnswered(store: Store, run: RunRow): Promise<boolean> {
  const intents = await store.pendingIntents(run.runId);
  // One that nothing waits for stays in the inbox; only a new one is news.
  if (intents.some(({ seen }) => !seen)) return true;
  for (const node of await store.listNodes(run.runId)) {
    if (!isWaiting(node.state as RunStatus)) continue;
    const child = await newestOfChain(store, childRunId(run, node));
    if (child !== undefined && isTerminal(child.status)) return true;
  }
  return false;
}

function abandonment(run: RunRow): PickUpReason {
  if (run.ownerId !== null) return "orphaned";
  return isQueued(run) ? "queued" : "stopped";
}

function isAbandoned(run: RunRow, nowMs: number): boolean {
  if (run.ownerId === null) return true;
  const { ownerId, createdAtMs, heartbeatAtMs } = run;
  return !isAliveAt(nowMs)({ ownerId, heartbeatAtMs: heartbeatAtMs ?? createdAtMs });
}

/**
 * The run that has to be driven so that this one continues: a child run continues
 * through the run that waits for it. Undefined when that is driven already, or paused.
 */
async function drivenThrough(store: Store, run: RunRow, nowMs: number): Promise<RunRow | undefined> {
  let root = run;
  for (;;) {
    const parent = root.parentRunId === null ? undefined : await store.getRun(root.parentRunId);
    // Earlier runs of its own chain stand between a child and its parent.
    const isOver = parent === undefined || (isTerminal(parent.status) && parent.status !== "continued");
    if (isOver) break;
    root = parent;
  }
  // A chain of runs that began without a parent.
  if (root.status === "continued") return run;
  if (root === run) return run;
  return root.paused !== null || isOwned(root, nowMs) ? undefined : root;
}
