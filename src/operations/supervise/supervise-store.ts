import { setMaxListeners } from "node:events";
import { isClaimedByOthers, type TaskCap } from "../../engine/index.js";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { notifyListener } from "../../errors/notify-listener.js";
import { isWaiting, type ResumeFailure, type RunResult, type RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { onOutsideChange, type Store } from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { Nudge } from "../../util/nudge.js";
import { pause } from "../../util/pause.js";
import { runWith } from "../drive/run-with.js";
import type { HotDrive } from "../host/hot-runs.js";
import type { RunCap } from "../host/run-cap.js";
import { storeOf } from "../request/target.js";
import { drivingServices } from "../run-workflow.js";
import { admission } from "./admission.js";
import { isCoolingOff } from "./repeat-deaths.js";
import { type Circumstances, isWorthATry, nextFailure } from "./back-off.js";
import { type DueRun, eachDueRun, type OnDamage } from "./due-runs.js";

/** Where the workflows of runs come from. */
export interface WorkflowSource {
  /** Undefined for a run that this process cannot continue. */
  workflowFor(run: RunRow, store: Store): Promise<ServiceWorkflow | undefined>;
  /** A text that changes with the code of the run's workflow, cheap to get; null when it is not known. */
  codeOf?(run: RunRow): string | null;
}

/** Milliseconds between passes while runs are under way: a process that dies writes nothing. */
export const LOOK_MS = 1_000;
/** The same while no run is, of a clock that was set forward. */
const QUIET_LOOK_MS = 5_000;
/** Writes of other processes are found at the latest after this time, milliseconds. */
const FEED_MS = 250;
/** Once no process has written for a minute, milliseconds. */
const RESTING_FEED_MS = 1_000;

export interface SuperviseStoreOptions extends WorkflowSource {
  /** Milliseconds between passes while runs are under way. @default 1000 */
  intervalMs?: number;
  /** Runs driven at the same time. */
  maxConcurrent: number;
  /** Runs that the host drives at once, these and others. @default any number */
  cap?: RunCap;
  /** Tasks that the host has at work at once. @default any number */
  taskCap?: TaskCap;
  /** Ends the supervisor; runs it drives are stopped and stay resumable. */
  signal: AbortSignal;
  /** Makes it look at once, for a process that knows of news. */
  nudge?: Nudge;
  /** Calls `drive` with the code that the run continues with. @default the workflow's own */
  drive?(
    run: RunRow,
    workflow: ServiceWorkflow,
    drive: (code: HotDrive) => Promise<RunResult>,
  ): Promise<RunResult>;
  onPickUp?(due: DueRun): void;
  onEnd?(result: RunResult, run: RunRow): void;
  /** Null: the database, or the row of a run that the error names, could not be read; a later pass tries again. */
  onError?(run: RunRow | null, error: Error): void;
  /** Once for each run that is due and that this process has no workflow for. */
  onUnknown?(due: DueRun): void;
  /** @default the database's */
  clock?: Clock;
}

/**
 * Picks up due runs of one database until its signal fires. Gives no run up: one
 * that cannot be continued is tried again, less and less often, and at once when
 * there is something new for it. That it cannot is kept with the run.
 */
export async function superviseStore(store: Store, given: SuperviseStoreOptions): Promise<void> {
  const { signal, clock = store.clock, intervalMs = LOOK_MS, maxConcurrent, nudge = new Nudge() } = given;
  const listeners = listenersOf(given);
  const onEnd = (result: RunResult, run: RunRow) => {
    listeners.onEnd(result, run);
    void nudgeWhenDue(store, result, { clock, nudge });
  };
  const options = { ...given, ...listeners, onEnd, clock };
  const stop = new AbortController();
  // Each run listens.
  setMaxListeners(0, stop.signal);
  // Whatever the caller's reason: a run that is only released must not be cancelled.
  const release = () =>
    stop.abort(new ServiceError("PROCESS_ABORTED", `Its supervisor, process ${process.pid}, was stopped`));
  signal.addEventListener("abort", release, { once: true });
  if (signal.aborted) release();
  const driving = new Map<string, Promise<void>>();
  const memory: Memory = { unknown: new Set(), unkept: new Map() };
  let isShortOfPlaces = false;
  let isQuiet = false;
  const onStirring = () => {
    isQuiet = false;
  };
  const onDamage: OnDamage = (runId, error, run) => {
    onStirring();
    noteDamage({ runId, run }, error, { ...options, memory });
  };
  const everyMs = Math.min(FEED_MS, intervalMs);
  const restingMs = Math.min(RESTING_FEED_MS, intervalMs);
  const forgets = [
    onOutsideChange(store, { clock, everyMs, restingMs, only: "change" }, () => nudge.nudge()),
    store.onIntent(() => nudge.nudge()),
    // While runs are under way, the next pass comes soon enough.
    store.onChange(() => {
      if (isQuiet) nudge.nudge();
    }),
  ];
  while (!signal.aborted) {
    isShortOfPlaces = false;
    let restMs = intervalMs;
    try {
      isQuiet = true;
      for await (const due of eachDueRun(store, clock.now(), { onDamage, onStirring })) {
        const { runId } = due.run;
        isShortOfPlaces = driving.size >= maxConcurrent;
        if (isShortOfPlaces || options.cap?.isFull === true || signal.aborted) break;
        if (driving.has(runId) || !(await isItsTurn(store, due.run, { ...options, memory }))) continue;
        const work = pickUp(store, due, { ...options, signal: stop.signal, memory }).then((end) => {
          driving.delete(runId);
          if (end === "has-to-wait") isShortOfPlaces = true;
          // Only who has driven a run makes place for another: a run that cannot be driven here stays due.
          if (end === "driven" && isShortOfPlaces) nudge.nudge();
        });
        driving.set(runId, work);
      }
      restMs = await restOf(store, { clock, intervalMs, isQuiet });
    } catch (error) {
      isQuiet = false;
      options.onError?.(null, ensureError(error));
    }
    await pause(clock, restMs, { signal, nudge });
  }
  for (const forget of forgets) forget();
  await Promise.all(driving.values());
  nudge.close();
  signal.removeEventListener("abort", release);
}

/** A run that has come to wait is taken up at its time, whatever the rhythm of the passes. Never rejects. */
export async function nudgeWhenDue(
  store: Store,
  { runId, status }: Pick<RunResult, "runId" | "status">,
  { clock, nudge }: { clock: Clock; nudge: Nudge },
): Promise<void> {
  if (!isWaiting(status)) return;
  // Where the database cannot be read, the next pass finds it.
  const run = await Promise.resolve(store.getRun(runId)).catch(() => undefined);
  if (run?.wakeAtMs != null) nudge.nudgeAt(run.wakeAtMs, clock);
}

/** How long to wait for the next pass, milliseconds: until a run is due by time alone, or there may be something to see. */
async function restOf(
  store: Store,
  { clock, intervalMs, isQuiet }: { clock: Clock; intervalMs: number; isQuiet: boolean },
): Promise<number> {
  const untilWakeMs = ((await store.nextWake()) ?? Number.POSITIVE_INFINITY) - clock.now();
  if (isQuiet) return Math.max(1, Math.min(Math.max(intervalMs, QUIET_LOOK_MS), untilWakeMs));
  // One whose time has passed was found, and could not be taken up.
  return untilWakeMs > 0 ? Math.min(intervalMs, untilWakeMs) : intervalMs;
}

/** Whatever they throw: it is no failure of a run, and the supervisor continues. */
function listenersOf(
  given: SuperviseStoreOptions,
): Required<Pick<SuperviseStoreOptions, "onPickUp" | "onEnd" | "onError" | "onUnknown">> {
  const tell = (call: () => unknown) => notifyListener("the supervisor", call);
  return {
    onPickUp: (due) => tell(() => given.onPickUp?.(due)),
    onEnd: (result, run) => tell(() => given.onEnd?.(result, run)),
    onError: (run, error) => tell(() => given.onError?.(run, error)),
    onUnknown: (due) => tell(() => given.onUnknown?.(due)),
  };
}

/** Facts that one supervisor knows and no database does. */
interface Memory {
  /** Runs without a workflow that have been reported. */
  unknown: Set<string>;
  /** Failures that the database did not take: these runs are tried less and less often all the same. */
  unkept: Map<string, ResumeFailure>;
}

/** What a supervisor goes by, and what it remembers. */
interface Supervision extends SuperviseStoreOptions {
  clock: Clock;
  memory: Memory;
}

/** Damage to the rows of one run is reported with its back-off, and keeps no other run waiting. */
async function isItsTurn(store: Store, run: RunRow, options: Supervision): Promise<boolean> {
  const { clock } = options;
  if (isCoolingOff(run, clock.now())) return false;
  try {
    const failure = options.memory.unkept.get(run.runId) ?? (await store.resumeFailure(run.runId));
    return failure === undefined || isWorthATry(failure, await circumstancesOf(store, run, options));
  } catch (error) {
    noteDamage({ runId: run.runId, run }, error, options);
    return false;
  }
}

function noteDamage(
  { runId, run }: { runId: string; run: RunRow | undefined },
  error: unknown,
  options: Supervision,
): void {
  const { unkept } = options.memory;
  const held = unkept.get(runId);
  const now = blindly(options);
  if (held !== undefined && now.nowMs < held.retryAtMs) return;
  unkept.set(runId, nextFailure(held, error, now));
  options.onError?.(run ?? null, ensureError(error));
}

/** The circumstances that are known without the database. */
function blindly({ clock }: Supervision): Circumstances {
  return { nowMs: clock.now(), pendingIntents: 0, code: null };
}

async function circumstancesOf(
  store: Store,
  run: RunRow,
  { clock, codeOf }: Supervision,
): Promise<Circumstances> {
  const pendingIntents = (await store.pendingIntents(run.runId)).length;
  return { nowMs: clock.now(), pendingIntents, code: codeOf?.(run) ?? null };
}

/** Never throws. @returns whether the run was driven here, however that ended */
async function pickUp(
  store: Store,
  due: DueRun,
  options: Supervision,
): Promise<"driven" | "has-to-wait" | "left"> {
  const { run } = due;
  const { clock } = options;
  const leave: (() => void)[] = [];
  try {
    const workflow = await options.workflowFor(run, store);
    if (workflow === undefined) {
      if (!options.memory.unknown.has(run.runId)) options.onUnknown?.(due);
      options.memory.unknown.add(run.runId);
      return "left";
    }
    // Another run may have taken the last place since it was looked for.
    if (options.cap?.isFull === true) return "left";
    const left = admission.enter(run, clock.now());
    if (left === undefined) return "has-to-wait";
    leave.push(left);
    if (options.cap !== undefined) leave.push(options.cap.enter());
    options.onPickUp?.(due);
    const { runId } = run;
    const { signal, drive = (_run, code, go) => go({ workflow: code }) } = options;
    const result = await drive(run, workflow, async ({ workflow: code, ...hot }) => {
      const services = drivingServices(await storeOf(code), {
        beatThread: "at-once",
        clock,
        ...(options.taskCap !== undefined && { taskCap: options.taskCap }),
      });
      return runWith(services, code, { ...hot, runId, resume: true, signal, seen: run });
    });
    options.memory.unkept.delete(runId);
    options.onEnd?.(result, run);
    return "driven";
  } catch (error) {
    if (isClaimedByOthers(error) || ServiceError.is(error, "RUN_RESUME_CLAIM_LOST")) return "left";
    options.onError?.(run, ensureError(error));
    // Its next try is later, so that its place is free for others.
    await keepFailure(store, run, { error, options });
    return "driven";
  } finally {
    for (const each of leave) each();
  }
}

async function keepFailure(
  store: Store,
  run: RunRow,
  { error, options }: { error: unknown; options: Supervision },
): Promise<void> {
  const { unkept } = options.memory;
  const held = unkept.get(run.runId);
  let failure = nextFailure(held, error, blindly(options));
  try {
    const before = held ?? (await store.resumeFailure(run.runId));
    failure = nextFailure(before, error, await circumstancesOf(store, run, options));
    await store.setResumeFailure(run.runId, failure);
    unkept.delete(run.runId);
  } catch (cause) {
    // The database cannot take it, perhaps for the reason that the run could not continue.
    unkept.set(run.runId, failure);
    options.onError?.(null, ensureError(cause));
  }
}
