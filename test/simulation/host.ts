import { LocalDispatcher } from "../../src/engine/local-dispatcher.js";
import type { AttemptHandle, AttemptJob, AttemptReport, EngineServices } from "../../src/engine/ports.js";
import { isTerminal, type RunRow } from "../../src/model/run.js";
import type { RunOptions } from "../../src/model/run-options.js";
import type { ServiceWorkflow } from "../../src/model/workflow.js";
import { runWith } from "../../src/operations/run-workflow.js";
import { storedResult } from "../../src/operations/stored-result.js";
import { isUnseenFailure } from "../../src/operations/unseen-failure.js";
import type { SqliteStore } from "../../src/store/sqlite/store.js";
import { type Fuse, type FusedStore, fuseStore } from "../../src/testing/fused-store.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { Worktrees } from "../../src/vcs/worktrees.js";

/** Turns of the event loop in which nothing happens before a process counts as quiet. */
const QUIET_TURNS = 3;

/** Turns after which a process that is never quiet counts as spinning. */
const MOST_TURNS = 20_000;

/** One simulated process after the other, on one database, in virtual time. */
export class SimulatedHost {
  clock = new VirtualClock();
  commits = 0;
  readonly store: SqliteStore;
  readonly #fuses: Fuse[];
  #process: SimulatedProcess;
  #crashes = 0;

  constructor(store: SqliteStore, fuses: readonly Fuse[]) {
    this.store = store;
    this.#fuses = [...fuses];
    this.#process = this.#boot();
  }

  get crashes(): number {
    return this.#crashes;
  }

  isDriving(runId: string): boolean {
    return this.#process.active.has(runId);
  }

  drive(workflow: ServiceWorkflow, options: RunOptions): void {
    this.#process.drive(workflow, options);
  }

  /** Waits until nothing more happens without time or an operator. True when the process died meanwhile; then another one is there. */
  async settle(): Promise<boolean> {
    await this.#process.settle();
    const { failure, fused } = this.#process;
    if (failure !== null && !fused.isBlown) throw failure;
    if (!fused.isBlown) return false;
    this.#crashes += 1;
    this.commits += fused.commits;
    // Timers of the dead process die with it.
    this.clock = new VirtualClock(this.clock.now());
    this.#process = this.#boot();
    return true;
  }

  /** Ends the last process. */
  close(): void {
    this.commits += this.#process.fused.commits;
    this.#process.fused.blow();
  }

  #boot(): SimulatedProcess {
    return new SimulatedProcess(fuseStore(this.store, this.#fuses.shift()), this.clock);
  }
}

class SimulatedProcess {
  readonly fused: FusedStore;
  readonly active = new Set<string>();
  failure: Error | null = null;
  #executing = 0;
  readonly #engine: EngineServices;

  constructor(fused: FusedStore, clock: VirtualClock) {
    this.fused = fused;
    const local = new LocalDispatcher({
      clock,
      store: fused.store,
      worktrees: new Worktrees(),
      childRuns: {
        drive: async (workflow, request) => {
          const { runId, parentRunId, input, signal } = request;
          const known = await fused.store.getRun(runId);
          if (known !== undefined && (await isUnseenFailure(fused.store, request, known)))
            return storedResult(fused.store, known);
          const start =
            known === undefined ? { runId, parentRunId, input } : { runId, resume: true, force: true };
          return this.#run(workflow, { ...start, signal });
        },
      },
    });
    const dispatch = (job: AttemptJob, report: AttemptReport): AttemptHandle => {
      // An attempt that drives a child run is as busy as that run's own attempts.
      const weight = job.task.kind === "subflow" ? 0 : 1;
      this.#executing += weight;
      const settled: AttemptReport["settled"] = (outcome) => {
        this.#executing -= weight;
        report.settled(outcome);
      };
      return local.dispatch(job, { ...report, settled });
    };
    const heartbeatMs = Number.POSITIVE_INFINITY;
    this.#engine = { store: fused.store, clock, dispatcher: { dispatch }, heartbeatMs };
  }

  drive(workflow: ServiceWorkflow, options: RunOptions): void {
    this.#run(workflow, options).catch((error: Error) => {
      if (!this.fused.isBlown) this.failure ??= error;
    });
  }

  async #run(workflow: ServiceWorkflow, options: RunOptions) {
    const runId = options.runId as string;
    this.active.add(runId);
    try {
      return await runWith(this.#engine, workflow, { followContinuation: false, ...options });
    } finally {
      this.active.delete(runId);
    }
  }

  async settle(): Promise<void> {
    let quiet = 0;
    let commits = -1;
    for (let turn = 0; quiet < QUIET_TURNS; turn += 1) {
      if (this.fused.isBlown || (this.active.size === 0 && this.#executing === 0)) return;
      if (turn > MOST_TURNS) throw new Error("The process is never quiet.");
      await new Promise<void>((resolve) => setImmediate(resolve));
      const isBusy = this.#executing > 0 || commits !== this.fused.commits;
      commits = this.fused.commits;
      quiet = isBusy ? 0 : quiet + 1;
    }
  }
}

/** Whether a run that nobody drives would go on by itself. */
export function canGoOn(store: SqliteStore, run: RunRow, now: number): boolean {
  if (isTerminal(run.status)) return false;
  // A parked run has no owner: whose owner is gone was about to take something up.
  if (run.status === "running" || run.ownerId !== null) return true;
  if (store.pendingIntents(run.runId).some(({ kind }) => kind !== "signal")) return true;
  return store.listNodes(run.runId).some(({ dueAtMs, state, nodeId, iteration }) => {
    if (dueAtMs !== null && dueAtMs <= now) return true;
    if (!state.startsWith("waiting-")) return false;
    const child = store.getRun(`${run.runId}:${nodeId}:${iteration}`);
    return child !== undefined && isTerminal(child.status);
  });
}
