import {
  type ChildRunEnd,
  type ChildRunRequest,
  type ChildRuns,
  type EngineServices,
  LocalDispatcher,
} from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { createMemoryStore } from "../memory/create-memory-store.js";
import type { MemoryStore } from "../memory/memory-store.js";
import { childRunId } from "../model/child-run-id.js";
import type { StoredEvent } from "../model/events.js";
import { isTerminal, isWaiting, type RunResult, type RunRow, type RunStatus } from "../model/run.js";
import type { RunOptions } from "../model/run-options.js";
import type { InputOf, ResultOf, SchemaMap } from "../model/schema.js";
import type { SampledScore } from "../model/scorer.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { refuseOption } from "../options/check-options.js";
import {
  approveNode,
  type DecisionRequest,
  denyNode,
  driveChildRun,
  forkRun,
  type ForkRunOptions,
  hasChildWorked,
  runWith,
  type SignalRequest,
  signalRun,
  storedResult,
} from "../operations/index.js";
import { newestOfChain, ServiceDb, type Store, twinDb } from "../store/index.js";
import { parseDuration } from "../util/duration.js";
import { FileStates } from "../vcs/file-states.js";
import { Worktrees } from "../vcs/worktrees.js";
import type { MockCall } from "./mock-agent.js";
import { isFrameAwaited } from "../renderer/frame-waits.js";
import { MockCheck } from "./mock-check.js";
import type { MockScorerCall } from "./mock-scorer.js";
import { MockDispatcher } from "./mock-dispatcher.js";
import { type Fuse, MortalProcess, SimulatedCrash } from "./mortal-process.js";
import { checkTestOptions, type TestWorkflowOptions } from "./test-options.js";
import { frameTexts, type TestedTask, testedTasks } from "./stored-run.js";
import { VirtualClock } from "./virtual-clock.js";
import { areReplaced, turnOfLoop } from "../util/own-timers.js";

type Decision = Omit<DecisionRequest, "runId" | "nodeId">;

/**
 * A run of a workflow under test: in memory, in virtual time, with mocks for
 * agents. Time stands still while a task executes and moves only by `advance`.
 *
 * @example
 * const test = testWorkflow(workflow, { input: { name: "Ada" }, agents: { draft: { text: "…" } } });
 * await test.run();
 * await test.approve("publish");
 * await test.advance("7d");
 * expect(test.result.status).toBe("finished");
 * @throws INVALID_INPUT for options that there are not, or that do not fit
 */
export function testWorkflow<S extends SchemaMap>(
  workflow: ServiceWorkflow<S>,
  options: TestWorkflowOptions<InputOf<S>> = {},
): WorkflowTest<ResultOf<S>> {
  return new WorkflowTest(workflow, options as TestWorkflowOptions);
}

/** The result of `testWorkflow`: drives the run, answers for people and lets time pass. */
export class WorkflowTest<Output = unknown> {
  /** Moves by `advance` only. */
  readonly clock: VirtualClock;
  /** The run's memory, in virtual time: for facts that are to be there before it, and those it leaves. */
  readonly memory: MemoryStore;
  /** Every call of a mock of an agent, oldest first. */
  readonly calls: MockCall[] = [];
  /** Every call of a mock of a scorer, oldest first. */
  readonly scorerCalls: MockScorerCall[] = [];
  /** Id of the first run. Its state is that of the newest run that continues it. */
  readonly runId: string;
  readonly #options: TestWorkflowOptions;
  readonly #workflow: ServiceWorkflow;
  readonly #db: ServiceDb;
  readonly #mockCheck: MockCheck;
  #process: Drive | null = null;
  #result: RunResult<Output> | null = null;
  /** The error of a drive that was not reported yet. */
  #failure: { readonly error: unknown } | undefined;

  /** @param forked the test that it comes from, by `fork` */
  constructor(
    workflow: ServiceWorkflow,
    options: TestWorkflowOptions,
    forked?: { from: WorkflowTest; runId: string },
  ) {
    checkTestOptions(options);
    if (areReplaced()) {
      throw new ServiceError(
        "INVALID_INPUT",
        "The timers had been replaced when treadle was loaded, so the run would never move: import treadle/testing before vi.useFakeTimers() or the like is called.",
      );
    }
    if (typeof workflow !== "object" || workflow === null) {
      refuseOption("workflow", "a workflow, as service(build) returns it", workflow);
    }
    if (typeof workflow.db !== "object" || workflow.db === null) {
      throw new ServiceError("DB_NOT_CONFIGURED", "The workflow under test has no database handle.");
    }
    this.runId = forked?.runId ?? "test";
    const { db } = forked === undefined ? twinDb(workflow.db, ":memory:") : workflow;
    this.#workflow = { ...workflow, db };
    this.#db = forked === undefined ? new ServiceDb(db) : forked.from.#db;
    this.#options = options;
    const { agents = {}, scorers = {} } = options;
    this.#mockCheck = new MockCheck({ agents: Object.keys(agents), scorers: Object.keys(scorers) });
    this.clock = forked?.from.clock ?? options.clock ?? new VirtualClock();
    this.memory = forked?.from.memory ?? createMemoryStore(this.#db, { clock: this.clock });
  }

  /** The result of the last drive. @throws RUN_NOT_FOUND before the first drive */
  get result(): RunResult<Output> {
    if (this.#result !== null) return this.#result;
    throw new ServiceError("RUN_NOT_FOUND", "The workflow under test has not run yet; call run() first.");
  }

  /** Starts the run and drives it until it ends or waits. `fuse` kills the simulated process at a commit. */
  run(fuse?: Fuse): Promise<RunResult<Output>> {
    return this.#drive({ input: this.#options.input ?? {} }, fuse);
  }

  /** Continues with the run, as a new process would. */
  resume(fuse?: Fuse): Promise<RunResult<Output>> {
    return this.#drive({ resume: true, force: true }, fuse);
  }

  /** Lets `duration` pass, such as `"7d"` or milliseconds, waking the run whenever something of it is due. */
  async advance(duration: string | number): Promise<RunResult<Output>> {
    const ms = parseDuration(duration);
    if (ms === undefined) {
      throw new ServiceError(
        "INVALID_INPUT",
        `advance(${JSON.stringify(duration)}): a duration such as 30s or 7d is expected.`,
      );
    }
    const until = this.clock.now() + ms;
    for (;;) {
      await this.#settle();
      const next = Math.min(this.clock.nextTimer() ?? Number.POSITIVE_INFINITY, await this.#due());
      if (next > until) break;
      this.clock.moveTo(Math.max(next, this.clock.now()));
      if (this.#isSuspended()) await this.resume();
    }
    this.clock.moveTo(until);
    await this.#settle();
    this.#throwFailure();
    return this.result;
  }

  /** Approves a waiting node and lets the run continue. */
  async approve(nodeId: string, decision: Decision = {}): Promise<RunResult<Output>> {
    await approveNode(this.#db, { ...decision, runId: await this.#newestId(), nodeId }, this.#world);
    return this.#goOn();
  }

  /** Denies a waiting node and lets the run continue. */
  async deny(nodeId: string, decision: Decision = {}): Promise<RunResult<Output>> {
    await denyNode(this.#db, { ...decision, runId: await this.#newestId(), nodeId }, this.#world);
    return this.#goOn();
  }

  /** Sends a signal and lets the run continue. */
  async signal(
    name: string,
    data?: unknown,
    options: Pick<SignalRequest, "correlationId"> = {},
  ): Promise<RunResult<Output>> {
    const request = { ...options, runId: await this.#newestId(), signal: name };
    await signalRun(this.#workflow, { ...request, ...(data !== undefined && { data }) }, this.#world);
    return this.#goOn();
  }

  /** The simulated process dies now: whatever it has not committed is lost. */
  async crash(): Promise<void> {
    this.#process?.process.die();
    await this.#settle();
  }

  /**
   * A new run of an old moment of this one, under test too: `resume` drives it. It has this one's mocks, time and
   * memory, and calls of its own. @throws as forkRun
   */
  async fork(options: Omit<ForkRunOptions, "runId" | "dryRun"> = {}): Promise<WorkflowTest<Output>> {
    const request = { ...options, runId: await this.#newestId() };
    const { runId } = await forkRun(this.#workflow, request, this.#world);
    return new WorkflowTest<Output>(this.#workflow, this.#options, { from: this, runId: runId as string });
  }

  /** Every node the run has mounted so far. */
  async tasks(): Promise<TestedTask[]> {
    return testedTasks(this.#db.store, await this.#newestId());
  }

  /** The last prompt a mock was given for this node. */
  prompt(nodeId: string): string | undefined {
    return this.calls.findLast((call) => call.nodeId === nodeId)?.prompt;
  }

  async events(): Promise<StoredEvent[]> {
    return this.#db.store.listEvents(await this.#newestId(), { limit: 1_000_000 });
  }

  /** Every score that the run has sampled so far, in the order in which the scored tasks finished. */
  async scores(): Promise<SampledScore[]> {
    return this.#db.store.listScores({ runId: await this.#newestId(), limit: 1_000_000 });
  }

  /** The tree of each frame as XML text, oldest first. */
  async frames(): Promise<string[]> {
    return frameTexts(this.#db.store, await this.#newestId());
  }

  get #world(): { clock: VirtualClock } {
    return { clock: this.clock };
  }

  /** The run, or the newest of those that continue it; undefined before there is one. */
  async #newest(): Promise<RunRow | undefined> {
    return newestOfChain(this.#db.store, this.runId);
  }

  async #newestId(): Promise<string> {
    return (await this.#newest())?.runId ?? this.runId;
  }

  async #goOn(): Promise<RunResult<Output>> {
    const run = await this.#newest();
    if (this.#isSuspended() && run?.paused === null) return this.resume();
    await this.#settle();
    this.#throwFailure();
    return this.result;
  }

  #isSuspended(): boolean {
    return this.#process === null && this.#result !== null && isWaiting(this.#result.status);
  }

  /** When a suspended run moves by itself, or a child run that it waits for. */
  async #due(): Promise<number> {
    if (!this.#isSuspended()) return Number.POSITIVE_INFINITY;
    const run = await this.#newest();
    return run === undefined ? Number.POSITIVE_INFINITY : this.#dueOf(this.#db.store, run);
  }

  /** Child runs that no node waits for any more would never be driven. */
  async #dueOf(store: Store, run: RunRow): Promise<number> {
    if (run.paused !== null || !isWaiting(run.status)) return Number.POSITIVE_INFINITY;
    let earliest = run.wakeAtMs ?? Number.POSITIVE_INFINITY;
    for (const node of await store.listNodes(run.runId)) {
      if (node.kind !== "subflow" || !isWaiting(node.state as RunStatus)) continue;
      for (const { db } of this.#children.values()) {
        const { store: own } = new ServiceDb(db);
        const child = await newestOfChain(own, childRunId(run, node));
        if (child !== undefined) earliest = Math.min(earliest, await this.#dueOf(own, child));
      }
    }
    return earliest;
  }

  /** Starts a process that drives the run and waits until it has ended, or has nothing to do before time moves. */
  async #drive(options: RunOptions, fuse: Fuse | undefined): Promise<RunResult<Output>> {
    await this.#db.store.prepare();
    const process = new MortalProcess(fuse);
    const driving = runWith(this.#servicesOf(process, this.#db.store), this.#workflow, {
      ...this.#options.options,
      ...options,
      runId: await this.#newestId(),
    });
    const current: Drive = { process, ended: Promise.resolve() };
    this.#process = current;
    current.ended = driving.then(
      (result) => {
        this.#result = result as RunResult<Output>;
        if (this.#process === current) this.#process = null;
      },
      (error: unknown) => {
        // The end of a process that has died, or whose run another one drives by now, does not count.
        if (this.#process !== current) return;
        this.#process = null;
        if (!(error instanceof SimulatedCrash)) this.#failure = { error };
      },
    );
    await this.#settle();
    this.#throwFailure();
    return this.#result ?? { runId: this.runId, status: "running" };
  }

  /** A drive may fail, and a mistake in the mocks be found, long after the call that began it. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    if (this.#mockCheck.refusal !== undefined) throw this.#mockCheck.refusal;
  }

  /** Waits until the process has ended or every task of it has, and nothing more follows without time. */
  async #settle(): Promise<void> {
    let quiet = 0;
    while (this.#process !== null && quiet < QUIET_TURNS) {
      const { process } = this.#process;
      if (process.isDead) {
        // Its work will never end; nothing waits for it.
        this.#process = null;
        break;
      }
      const { commits } = process;
      await turnOfLoop();
      // A task without an await starts and ends within one turn; only its commits show that it ran.
      const isQuiet = process.executing === 0 && process.commits === commits && !isFrameAwaited();
      quiet = isQuiet ? quiet + 1 : 0;
    }
    const run = await this.#newest();
    if (run === undefined) return;
    if (!isTerminal(run.status)) this.#result = { runId: run.runId, status: run.status };
    else if (run.status !== "continued") {
      // Cleaning up after the end, such as that of worktrees, belongs to the drive.
      await this.#process?.ended;
      // A process that died with its last commit could not tell.
      if (this.#result?.status !== run.status) {
        this.#result = (await storedResult(this.#db.store, run)) as RunResult<Output>;
      }
    }
  }

  #servicesOf(process: MortalProcess, inner: Store): EngineServices {
    const { clock } = this;
    const store = process.open(inner);
    const childRuns: ChildRuns = {
      drive: (workflow, request) => this.#driveChild(workflow, request, { process, parentStore: store }),
      hasWorked: async (workflow, child) =>
        hasChildWorked(new ServiceDb(this.#childWorkflow(workflow).db).store, child),
    };
    const local = new LocalDispatcher({
      clock,
      store,
      childRuns,
      worktrees: new Worktrees(),
      fileStates: new FileStates(),
    });
    this.#mockCheck.look(inner);
    const { agents = {}, scorers = {} } = this.#options;
    const { calls, scorerCalls } = this;
    const mocks = { agents, scorers, calls, scorerCalls, check: this.#mockCheck };
    const dispatcher = process.watch(new MockDispatcher(local, mocks));
    return { store, clock, dispatcher, childRuns, heartbeatMs: Number.POSITIVE_INFINITY };
  }

  /** Child runs live in their own workflow's tables, in memory too, and in the process of their parent. */
  async #driveChild(
    workflow: ServiceWorkflow,
    request: ChildRunRequest,
    { process, parentStore }: { process: MortalProcess; parentStore: Store },
  ): Promise<ChildRunEnd> {
    const twin = this.#childWorkflow(workflow);
    const { store } = new ServiceDb(twin.db);
    await store.prepare();
    const services = this.#servicesOf(process, store);
    return driveChildRun(twin, request, { services, parentStore, isDriven: () => false });
  }

  readonly #children = new Map<ServiceWorkflow, ServiceWorkflow>();

  #childWorkflow(workflow: ServiceWorkflow): ServiceWorkflow {
    const known = this.#children.get(workflow);
    if (known !== undefined) return known;
    const { db } = twinDb(workflow.db as object, ":memory:");
    const twin = { ...workflow, db };
    this.#children.set(workflow, twin);
    return twin;
  }
}

interface Drive {
  readonly process: MortalProcess;
  ended: Promise<void>;
}

/** Turns of the event loop without an executing task or a commit after which nothing more is coming. */
const QUIET_TURNS = 8;
