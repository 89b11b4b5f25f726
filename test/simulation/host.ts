import { globalTaskId } from "../../src/model/address.js";
import { LocalDispatcher } from "../../src/engine/attempt/local-dispatcher.js";
import type { ChildRuns } from "../../src/engine/child-runs.js";
import type { EngineServices } from "../../src/engine/ports.js";
import { ensureError } from "../../src/errors/ensure-error.js";
import { isTerminal, type RunRow } from "../../src/model/run.js";
import type { RunOptions } from "../../src/model/run-options.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import { driveChildRun, hasChildWorked } from "../../src/operations/children/drive-child-run.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import type { Store } from "../../src/store/contract.js";
import { type Fuse, MortalProcess } from "../../src/testing/mortal-process.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { FileStates } from "../../src/vcs/file-states.js";
import { Worktrees } from "../../src/vcs/worktrees.js";
import type { Member } from "./family.js";
import { PendingAnswers } from "./pending-answers.js";

/** Turns of the event loop in which nothing happens before a process counts as quiet. */
const QUIET_TURNS = 3;

/** Turns after which an attempt that is in progress counts as one that only time can end. */
const HANGING_TURNS = 12;

/** Turns after which a process that is never quiet counts as spinning. */
const MOST_TURNS = 20_000;

/** One simulated process after the other, on one database, in virtual time. */
export class SimulatedHost {
  clock = new VirtualClock();
  commits = 0;
  readonly programsBefore = programs();
  readonly answers = new PendingAnswers();
  readonly store: Store;
  readonly #fuses: Fuse[];
  #process: SimulatedProcess;
  readonly #deadOwners = new Set<string>();
  #crashes = 0;

  constructor(store: Store, fuses: readonly Fuse[]) {
    this.store = this.answers.of(store);
    this.#fuses = [...fuses];
    this.#process = this.#boot();
  }

  get crashes(): number {
    return this.#crashes;
  }

  /** An owner from before the last crash drives nothing any more. */
  isDriving({ ownerId }: RunRow): boolean {
    return ownerId !== null && !this.#deadOwners.has(ownerId);
  }

  drive(workflow: ServiceWorkflow, options: RunOptions): void {
    void this.#process.drive(workflow, options);
  }

  /** Waits until nothing more happens without time or an operator. True when the process died meanwhile; then another one is there. */
  async settle(): Promise<boolean> {
    await this.#process.settle();
    const { failure, process } = this.#process;
    if (failure !== null && !process.isDead) throw failure;
    if (!process.isDead) return false;
    this.#crashes += 1;
    this.commits += process.commits;
    // Timers of the dead process die with it.
    this.clock = new VirtualClock(this.clock.now());
    this.#process = this.#boot();
    return true;
  }

  /** The owner of these runs has died with its process. */
  bury(members: readonly Pick<Member, "run">[]): void {
    for (const { run } of members) if (run.ownerId !== null) this.#deadOwners.add(run.ownerId);
  }

  /** Ends the last process. */
  close(): void {
    this.commits += this.#process.process.commits;
    this.#process.process.die();
  }

  #boot(): SimulatedProcess {
    return new SimulatedProcess(this, this.#fuses.shift());
  }
}

class SimulatedProcess {
  readonly process: MortalProcess;
  failure: Error | null = null;
  #driving = 0;
  readonly #programsBefore: number;
  readonly #engine: EngineServices;
  readonly #answers: PendingAnswers;

  constructor(host: SimulatedHost, fuse: Fuse | undefined) {
    this.#programsBefore = host.programsBefore;
    this.#answers = host.answers;
    this.process = new MortalProcess(fuse);
    const { clock } = host;
    const store = this.process.open(host.store);
    const isDriven = (run: RunRow) => host.isDriving(run);
    const childRuns: ChildRuns = {
      drive: (workflow, request) =>
        driveChildRun(workflow, request, { services: this.#engine, parentStore: store, isDriven }),
      hasWorked: (_workflow, child) => hasChildWorked(store, child),
    };
    const local = new LocalDispatcher({
      clock,
      store,
      worktrees: new Worktrees(),
      fileStates: new FileStates(),
      childRuns,
    });
    const heartbeatMs = Number.POSITIVE_INFINITY;
    this.#engine = { store, clock, childRuns, dispatcher: this.process.watch(local), heartbeatMs };
  }

  async drive(workflow: ServiceWorkflow, options: RunOptions): Promise<void> {
    this.#driving += 1;
    try {
      await runWith(this.#engine, workflow, { followContinuation: false, ...options });
    } catch (error) {
      if (!this.process.isDead) this.failure ??= ensureError(error);
    } finally {
      this.#driving -= 1;
    }
  }

  async settle(): Promise<void> {
    const { process } = this;
    let quiet = 0;
    let commits = -1;
    for (let turn = 0; quiet < (process.executing > 0 ? HANGING_TURNS : QUIET_TURNS); turn += 1) {
      // The commit in which a process dies is over before the next one begins.
      const isOver = process.isDead || (this.#driving === 0 && process.executing === 0);
      if (isOver && this.#answers.count === 0) return;
      if (turn > MOST_TURNS) throw new Error("The process is never quiet.");
      do {
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (this.#isOutside()) quiet = 0;
      } while (this.#isOutside());
      quiet = commits === process.commits ? quiet + 1 : 0;
      commits = process.commits;
    }
  }

  /** Whether something is under way that takes as long as it takes: turns that do not count. */
  #isOutside(): boolean {
    return this.#answers.count > 0 || isAtDisk(this.#programsBefore);
  }
}

/** How long the end of a program may take to be noticed, in real milliseconds. */
const AFTER_A_PROGRAM_MS = 100;
/** Turns of the event loop in that time, at least: on a busy machine it may pass between two of them. */
const AFTER_A_PROGRAM_TURNS = 1_000;
let programSeenAt = Number.NEGATIVE_INFINITY;
let turnsWithoutProgram = AFTER_A_PROGRAM_TURNS;

/** Programs that this process has started and that have not ended, those of other test files among them. */
const programs = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === "ProcessWrap").length;

/** Whether files are being read or written, or a program does so (git) or has just ended. */
function isAtDisk(programsBefore: number): boolean {
  turnsWithoutProgram += 1;
  if (programs() > programsBefore) {
    programSeenAt = performance.now();
    turnsWithoutProgram = 0;
  }
  if (turnsWithoutProgram < AFTER_A_PROGRAM_TURNS) return true;
  if (performance.now() - programSeenAt < AFTER_A_PROGRAM_MS) return true;
  return process.getActiveResourcesInfo().some((resource) => /^(?:FSReq|CloseReq)/.test(resource));
}

/** Whether a run that no process drives would continue by itself. */
export async function canGoOn(store: Store, run: RunRow, now: number): Promise<boolean> {
  if (isTerminal(run.status)) return false;
  // A suspended run has no owner: whose owner is gone was about to take something up.
  if (run.status === "running" || run.ownerId !== null) return true;
  if (run.wakeAtMs !== null && run.wakeAtMs <= now) return true;
  const pending = await store.pendingIntents(run.runId);
  if (pending.some(({ intent }) => intent.kind !== "signal")) return true;
  for (const { state, nodeId, iteration } of await store.listNodes(run.runId)) {
    if (!state.startsWith("waiting-")) continue;
    let child = await store.getRun(globalTaskId({ runId: run.runId, nodeId, iteration }));
    while (child !== undefined && child.nextRunId !== null) child = await store.getRun(child.nextRunId);
    if (child !== undefined && isTerminal(child.status)) return true;
  }
  return false;
}
