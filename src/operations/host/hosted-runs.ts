import { TaskCap } from "../../engine/index.js";
import { livingPid } from "../../process/owner.js";
import { setMaxListeners } from "node:events";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, type RunResult, type RunStatus } from "../../model/run.js";
import type { RunLaunch } from "../../model/run-config.js";
import type { RunOptions } from "../../model/run-options.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { fileIdentity, type Store } from "../../store/index.js";
import { serviceLog } from "../../observability/log/service-log.js";
import { flushSpans } from "../../tracing/tracer.js";
import { deferred } from "../../util/deferred.js";
import { newId } from "../../util/ids.js";
import { Nudge } from "../../util/nudge.js";
import { isQueued } from "../read/run-state.js";
import { runWith } from "../drive/run-with.js";
import { storeOf } from "../request/target.js";
import { drivingServices } from "../run-workflow.js";
import { admission } from "../supervise/admission.js";
import { type HotDrive, HotRuns, type SavedWorkflows } from "./hot-runs.js";
import { RunCap } from "./run-cap.js";
import { nudgeWhenDue, superviseStore, type WorkflowSource } from "../supervise/supervise-store.js";

export interface HostedRun {
  runId: string;
  status: RunStatus;
  /** False for a start that was made before: an equal one, under the same id. */
  isNew: boolean;
}

export interface HostedRunsOptions extends WorkflowSource {
  /** Whether runs that no process drives, and that the source has a workflow for, are taken on as well. @default false */
  adopts?: boolean;
  /** Milliseconds between two looks for owners that have died. @default 1000 */
  intervalMs?: number;
  /** Runs driven at once; others wait for their turn, in the order in which they were made. @default any number */
  maxActiveRuns?: number;
  /** Tasks at work at once, in all runs. @default any number */
  maxActiveTasks?: number;
  /** Newer code for the runs, as it is saved. @default none */
  saved?: SavedWorkflows;
  /** A run could not be driven on; null: its database could not be read. */
  onError?(runId: string | null, error: Error): void;
}

interface Supervision {
  nudge: Nudge;
  ended: Promise<void>;
}

/**
 * The runs that one host has taken on: it drives them, wakes those that wait when
 * their time has come or an answer has come, and releases all of them together.
 */
export class HostedRuns {
  readonly #options: HostedRunsOptions;
  readonly #stop = new AbortController();
  readonly #driving = new Set<Promise<void>>();
  /** Runs that wait, and that this host has taken on. */
  readonly #waiting = new Set<string>();
  /** By file: workflows of one database have a store each. */
  readonly #supervised = new Map<string | Store, Supervision>();
  /** Runs that this host has made and not begun, oldest first, each with its database. */
  readonly #queued = new Map<string, Store>();
  readonly #cap: RunCap;
  readonly #taskCap: TaskCap | undefined;
  readonly #hot: HotRuns | undefined;

  constructor(options: HostedRunsOptions) {
    // Each run listens.
    setMaxListeners(0, this.#stop.signal);
    this.#options = options;
    const { maxActiveRuns = Number.POSITIVE_INFINITY, maxActiveTasks } = options;
    this.#cap = new RunCap(maxActiveRuns, () => {
      if (maxActiveRuns !== Number.POSITIVE_INFINITY) this.#lookAgain();
    });
    this.#taskCap = maxActiveTasks === undefined ? undefined : new TaskCap(maxActiveTasks);
    this.#hot =
      options.saved &&
      new HotRuns({
        source: options.saved,
        takeUp: (runId, workflow) => this.#begin(workflow, { runId, resume: true, isForCode: true }),
        onError: (runId, error) => options.onError?.(runId, error),
      });
    serviceLog.beHost();
  }

  /**
   * Starts a run; resolves once its first commit is made, or, while the host drives as many as
   * it may or a run that must be alone, once the run is stored: it begins when it is its turn.
   * @throws as runWorkflow for what is refused before that; CAPACITY_EXCEEDED while the host closes
   */
  async start(workflow: ServiceWorkflow, options: RunOptions & { launch?: RunLaunch }): Promise<HostedRun> {
    const { runId = newId() } = options;
    try {
      const { clock } = await storeOf(workflow);
      const mayBegin = !this.#cap.isFull && admission.isOpen(clock.now());
      const hasToWait = !mayBegin || (await this.#isAnyQueued());
      const named = { ...options, runId };
      const begun = hasToWait ? await this.#queue(workflow, named) : await this.#begin(workflow, named);
      return { ...begun, isNew: begun.status === "running" };
    } catch (error) {
      if (!ServiceError.is(error, "RUN_STILL_RUNNING")) throw error;
      const known = await (await storeOf(workflow)).getRun(runId);
      if (known === undefined) throw error;
      // It exists with equal input, and continues: what the caller asked for is the case.
      return { runId, status: known.status, isNew: false };
    }
  }

  /**
   * Continues a stored run; resolves once it is under way, at once when this process drives it already.
   * @throws as runWorkflow with `resume`; CAPACITY_EXCEEDED while the host closes, or drives as many runs as it may
   */
  async resume(
    workflow: ServiceWorkflow,
    options: Pick<RunOptions, "force" | "acceptWorkflowChange" | "maxConcurrency" | "queue"> & {
      runId: string;
    },
  ): Promise<HostedRun> {
    if (this.#cap.isFull) await this.#refuseResume(workflow, options.runId);
    try {
      return { ...(await this.#begin(workflow, { ...options, resume: true })), isNew: false };
    } catch (error) {
      if (!isDrivenHere(error)) throw error;
      const run = await (await storeOf(workflow)).getRun(options.runId);
      return { runId: options.runId, status: run?.status ?? "running", isNew: false };
    }
  }

  /**
   * Continues the run that `make` makes, if any, in a place that is kept for it meanwhile.
   * @throws as `make` and `resume`; CAPACITY_EXCEEDED before it is made
   */
  async resumeMade<Made extends { runId: string | null }>(
    workflow: ServiceWorkflow,
    make: () => Promise<Made>,
  ): Promise<Made & { status: RunStatus | null }> {
    this.#refuseWhileClosing();
    if (this.#cap.isFull) throw this.#isFull("no run was made");
    const place = this.#cap.enter();
    let made: Made;
    try {
      made = await make();
    } catch (error) {
      place();
      throw error;
    }
    const { runId } = made;
    if (runId === null) {
      place();
      return { ...made, status: null };
    }
    const { status } = await this.#begin(workflow, { runId, resume: true }, place);
    return { ...made, status };
  }

  /** Takes a waiting run on and looks at once whether it can continue: an answer has come. */
  wake(store: Store, runId: string): void {
    this.#waiting.add(runId);
    this.supervise(store).nudge.nudge();
  }

  /** Looks after the runs of a database from now on. */
  supervise(store: Store): Supervision {
    const database = fileIdentity(store);
    const known = this.#supervised.get(database);
    if (known !== undefined) return known;
    const { intervalMs, adopts = false, onError, workflowFor, codeOf } = this.#options;
    const nudge = new Nudge();
    const ended = superviseStore(store, {
      signal: this.#stop.signal,
      nudge,
      maxConcurrent: Number.POSITIVE_INFINITY,
      ...(intervalMs !== undefined && { intervalMs }),
      workflowFor: async (run) =>
        adopts || this.#waiting.has(run.runId)
          ? (this.#hot?.codeOf(run.runId) ?? workflowFor(run, store))
          : undefined,
      drive: (run, workflow, drive) => this.#driveHot(run.runId, workflow, drive),
      ...(codeOf !== undefined && { codeOf }),
      cap: this.#cap,
      ...(this.#taskCap !== undefined && { taskCap: this.#taskCap }),
      onPickUp: ({ run }) => this.#queued.delete(run.runId),
      onEnd: ({ runId, status }, run) => {
        this.#waiting.delete(run.runId);
        if (!isTerminal(status)) this.#waiting.add(runId);
      },
      onError: (run, error) => onError?.(run?.runId ?? null, error),
    });
    const supervision = { nudge, ended };
    this.#supervised.set(database, supervision);
    return supervision;
  }

  /** Releases all runs, which stay resumable, and waits until their tasks have stopped. */
  async close(): Promise<void> {
    this.#stop.abort(new ServiceError("PROCESS_ABORTED", `Its host, process ${process.pid}, closed`));
    await Promise.all(this.#driving);
    await Promise.all([...this.#supervised.values()].map(({ ended }) => ended));
    await this.#hot?.close();
    await flushSpans();
  }

  /** Makes a run that begins when there is room. */
  async #queue(
    workflow: ServiceWorkflow,
    options: RunOptions & { runId: string; launch?: RunLaunch },
  ): Promise<{ runId: string; status: RunStatus }> {
    this.#refuseWhileClosing();
    const store = await storeOf(workflow);
    const made = await runWith(drivingServices(store), workflow, { ...options, isQueued: true });
    if (isTerminal(made.status)) return made;
    this.#hot?.keep(made.runId, workflow);
    this.#queued.set(made.runId, store);
    this.wake(store, made.runId);
    return made;
  }

  /** Whether a run has to queue behind others. One that was cancelled or resumed by others waits no more. */
  async #isAnyQueued(): Promise<boolean> {
    for (const [runId, store] of this.#queued) {
      const run = await store.getRun(runId);
      if (run !== undefined && isQueued(run)) return true;
      this.#queued.delete(runId);
    }
    return false;
  }

  #lookAgain(): void {
    for (const { nudge } of this.#supervised.values()) nudge.nudge();
  }

  /** One that is driven already continues as it does. */
  async #refuseResume(workflow: ServiceWorkflow, runId: string): Promise<void> {
    const run = await (await storeOf(workflow)).getRun(runId);
    if (run !== undefined && run.ownerId !== null && livingPid(run.ownerId) === process.pid) return;
    throw this.#isFull(`${runId} was not resumed`, { runId });
  }

  #isFull(left: string, about: { runId?: string } = {}): ServiceError {
    const { limit } = this.#cap;
    return new ServiceError(
      "CAPACITY_EXCEEDED",
      `The host drives ${limit} run(s), as many as its maxActiveRuns lets it; ${left}.`,
      { details: { ...about, maxActiveRuns: limit } },
    );
  }

  #refuseWhileClosing(): void {
    if (!this.#stop.signal.aborted) return;
    throw new ServiceError("CAPACITY_EXCEEDED", "The host closes and takes no runs on.");
  }

  #driveHot(
    runId: string,
    workflow: ServiceWorkflow,
    drive: (code: HotDrive) => Promise<RunResult>,
  ): Promise<RunResult> {
    return this.#hot === undefined ? drive({ workflow }) : this.#hot.drive(runId, workflow, drive);
  }

  /** Resolves with the first event of this drive, as running, or with the result when there is none. */
  #begin(
    workflow: ServiceWorkflow,
    options: RunOptions & { runId: string; launch?: RunLaunch; isForCode?: boolean },
    keptPlace?: () => void,
  ): Promise<{ runId: string; status: RunStatus }> {
    this.#refuseWhileClosing();
    const { runId } = options;
    const leave = [keptPlace ?? this.#cap.enter(), admission.enterAsAsked()];
    const begun = deferred<{ runId: string; status: RunStatus }>();
    let isUnderWay = false;
    const onProgress: RunOptions["onProgress"] = (event) => {
      isUnderWay = true;
      begun.resolve({ runId, status: "running" });
      return options.onProgress?.(event);
    };
    const drive = async () => {
      try {
        const watch = { signal: this.#stop.signal, onProgress };
        const result = await this.#driveHot(runId, workflow, async ({ workflow: code, ...hot }) => {
          const services = drivingServices(await storeOf(code), {
            beatThread: "at-once",
            ...(this.#taskCap !== undefined && { taskCap: this.#taskCap }),
          });
          return runWith(services, code, { ...hot, ...options, ...watch });
        });
        begun.resolve({ runId: result.runId, status: result.status });
        if (isTerminal(result.status) || this.#stop.signal.aborted) return;
        // Under the id that its chain has come to.
        this.#waiting.add(result.runId);
        const store = await storeOf(workflow);
        const { nudge } = this.supervise(store);
        await nudgeWhenDue(store, result, { nudge, clock: store.clock });
      } catch (error) {
        begun.reject(error);
        if (isUnderWay) this.#options.onError?.(runId, ensureError(error));
      }
    };
    const driving = drive().finally(() => {
      this.#driving.delete(driving);
      for (const each of leave) each();
    });
    this.#driving.add(driving);
    return begun.promise;
  }
}

/** A claim was refused since this very process is the owner. */
function isDrivenHere(error: unknown): boolean {
  if (!ServiceError.is(error, "RUN_OWNER_ALIVE")) return false;
  const ownerId = error.details?.["ownerId"];
  return typeof ownerId === "string" && livingPid(ownerId) === process.pid;
}
