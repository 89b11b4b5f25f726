import { ensureError, serializeError } from "../../errors/ensure-error.js";
import { isRetryableCode } from "../../errors/codes.js";
import { ServiceError } from "../../errors/service-error.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import { isTerminal } from "../../model/run.js";
import type { Occurrence, OccurrenceState, Schedule } from "../../model/schedule.js";
import { newestOfChain, type OccurrenceKey, type Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { cronTimes } from "./cron-times.js";
import { missedOccurrence, type MissedReason, pendingOccurrence } from "./occurrence.js";

export interface FireOptions {
  clock: Clock;
  /** Whether this process can start runs of the workflow. */
  knows(workflowKey: string): boolean;
  /**
   * Starts the run that an occurrence names, or finds it started; resolves once that is durable.
   * @throws what keeps it from being started
   */
  start(occurrence: StartableOccurrence, workflowKey: string): Promise<void>;
  /** Something went wrong that no occurrence says. */
  onError(error: Error): void;
}

export type StartableOccurrence = Occurrence & { runId: string; input: Record<string, unknown> };

/** A time that was due longer ago has been missed: the machine slept, or no gateway was there. Milliseconds, less than MOST_COUNTED seconds. */
const ON_TIME_MS = 60_000;

/** Missed times are counted up to here. */
const MOST_COUNTED = 100;

/** How often a queued occurrence is looked at: the run before it may have ended. Milliseconds. */
const QUEUE_LOOK_MS = 1_000;

/** An occurrence whose start continues failing for reasons that may pass is given up, milliseconds. */
const GIVE_UP_AFTER_MS = 600_000;

/**
 * One look at the schedules of a database: what is due becomes an occurrence, once for all who look, and every
 * occurrence that is not started yet is started, by any process.
 * @returns when something is due next, epoch milliseconds; null for nothing
 */
export async function fireSchedules(store: Store, options: FireOptions): Promise<number | null> {
  const { clock } = options;
  for (const key of await store.schedules.open()) {
    await guarded(options, () => closeEnded(store, key));
  }
  const dueTimes: number[] = [];
  for (const cronId of await store.schedules.ids()) {
    await guarded(options, async () => {
      const schedule = await store.schedules.get(cronId);
      if (schedule === undefined || !schedule.enabled || !options.knows(schedule.workflowKey)) return;
      const nextMs = await coverDue(store, schedule, clock.now());
      if (nextMs !== null) dueTimes.push(nextMs);
    });
  }
  const open = await store.schedules.open();
  await Promise.all(
    open.map((key) =>
      guarded(options, async () => {
        const isWaiting = await startOpen(store, key, options);
        if (isWaiting) dueTimes.push(clock.now() + QUEUE_LOOK_MS);
      }),
    ),
  );
  return dueTimes.length === 0 ? null : Math.min(...dueTimes);
}

/** One row that cannot be read keeps no other schedule from being looked at. */
async function guarded({ onError }: FireOptions, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    onError(ensureError(error));
  }
}

async function closeEnded(store: Store, { cronId, scheduledAtMs }: OccurrenceKey): Promise<void> {
  const occurrence = await store.schedules.occurrence(cronId, scheduledAtMs);
  if (occurrence?.state !== "fired" || occurrence.runId === null) return;
  const run = await newestOfChain(store, occurrence.runId);
  if (run === undefined || isTerminal(run.status))
    await store.schedules.closeOccurrence(cronId, scheduledAtMs);
}

/** Moves a schedule on to now; when it is due next. */
async function coverDue(store: Store, schedule: Schedule, nowMs: number): Promise<number | null> {
  const times = cronTimes(schedule);
  // A clock that was ahead and has been set right again: what is recorded already stays recorded once.
  const fromMs = Math.min(schedule.coveredUntilMs, nowMs);
  const [first] = times.next(fromMs, 1);
  if (first === undefined || first > nowMs) {
    if (fromMs < schedule.coveredUntilMs) await moveBack(store, schedule, nowMs);
    return first ?? null;
  }
  const newestFirst = times.between(fromMs, nowMs, MOST_COUNTED);
  const { due, passedOver, missed } = sorted(schedule, newestFirst, nowMs);
  const missedAs = (why: MissedReason, each: number[]) =>
    missedOccurrence(schedule, each, { nowMs, why, isAll: newestFirst.length < MOST_COUNTED });
  const isCovered = await store.schedules.cover({
    schedule,
    coveredUntilMs: newestFirst[0] ?? first,
    due: due.map((atMs) => pendingOccurrence(schedule, atMs, { nowMs })).reverse(),
    missed: [...missedAs("unseen", missed), ...missedAs("late", passedOver)],
  });
  if (isCovered) {
    countOutcome("skipped-missed", missed.length + passedOver.length);
    for (const atMs of due) {
      const occurrence = await store.schedules.occurrence(schedule.cronId, atMs);
      if (occurrence?.state === "skipped-overlap") countOutcome("skipped-overlap");
    }
  }
  return times.next(nowMs, 1)[0] ?? null;
}

/** Counted by the process that has written it down. */
function countOutcome(outcome: Exclude<OccurrenceState, "pending" | "queued">, times = 1): void {
  serviceMetrics.scheduleOccurrencesTotal.add(times, { outcome });
}

interface DueTimes {
  /** To be fired. */
  due: number[];
  /** On time, but a newer one is fired in their place. */
  passedOver: number[];
  missed: number[];
}

/** All newest first. Runs that may continue beside each other all come, as they would have on time. */
function sorted({ overlap, catchUp }: Schedule, newestFirst: number[], nowMs: number): DueTimes {
  const onTime = newestFirst.filter((atMs) => nowMs - atMs <= ON_TIME_MS);
  const late = newestFirst.slice(onTime.length);
  if (onTime.length === 0) {
    const caughtUp = catchUp === "latest" ? 1 : 0;
    return { due: late.slice(0, caughtUp), passedOver: [], missed: late.slice(caughtUp) };
  }
  const fired = overlap === "allow" ? onTime.length : 1;
  return { due: onTime.slice(0, fired), passedOver: onTime.slice(fired), missed: late };
}

async function moveBack(store: Store, schedule: Schedule, nowMs: number): Promise<void> {
  await store.schedules.cover({ schedule, coveredUntilMs: nowMs, due: [], missed: [] });
}

/** Whether it waits for the run before it. */
async function startOpen(store: Store, key: OccurrenceKey, options: FireOptions): Promise<boolean> {
  const { cronId, scheduledAtMs } = key;
  const schedule = await store.schedules.get(cronId);
  if (schedule === undefined || !options.knows(schedule.workflowKey)) return false;
  let occurrence = await store.schedules.occurrence(cronId, scheduledAtMs);
  if (occurrence?.state === "queued" && (await store.schedules.release(cronId, scheduledAtMs))) {
    occurrence = await store.schedules.occurrence(cronId, scheduledAtMs);
  }
  if (occurrence?.state === "pending") await startOccurrence(store, occurrence, options);
  return occurrence?.state === "queued";
}

/**
 * Starts the run of a pending occurrence and records the result. A process that dies between the two
 * leaves it pending; the next process that looks starts the same run, which then is there already.
 */
export async function startOccurrence(
  store: Store,
  occurrence: Occurrence,
  options: Pick<FireOptions, "clock" | "start"> & { workflowKey?: string },
): Promise<Occurrence> {
  const { clock } = options;
  const { cronId, runId, input, scheduledAtMs } = occurrence;
  const workflowKey = options.workflowKey ?? (await store.schedules.get(cronId))?.workflowKey;
  if (runId === null || input === null || workflowKey === undefined) return occurrence;
  const completed = { ...occurrence, input: null, settledAtMs: clock.now() };
  try {
    await options.start({ ...occurrence, runId, input }, workflowKey);
    if (await store.schedules.complete({ ...completed, state: "fired" })) countOutcome("fired");
  } catch (error) {
    const isOld = clock.now() - occurrence.recordedAtMs > GIVE_UP_AFTER_MS;
    if (!isOld && mayPass(error)) throw error;
    const failed = { ...completed, state: "failed" as const, runId: null, isOpen: false };
    if (await store.schedules.complete({ ...failed, error: serializeError(error) })) countOutcome("failed");
  }
  return (await store.schedules.occurrence(cronId, scheduledAtMs)) ?? completed;
}

/** The workflow has nothing to do with it. */
function mayPass(error: unknown): boolean {
  return error instanceof ServiceError && isRetryableCode(error.code);
}
