import { type CodeUpdates, isClaimedByOthers } from "../../engine/index.js";
import { ensureError } from "../../errors/ensure-error.js";
import type { HotReload } from "../../hot/hot-reload.js";
import { isTerminal, isWaiting, type RunResult } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { storeOf } from "../request/target.js";

/** Workflows whose files are saved while a host drives their runs. */
export interface SavedWorkflows {
  /** Newer code for a run that continues with this workflow; undefined where it stays as it is. */
  follow(workflow: ServiceWorkflow): HotReload | undefined;
}

export interface HotRunsOptions {
  source: SavedWorkflows;
  /** Continues a run that waits with newer code, and with nothing else. */
  takeUp(runId: string, workflow: ServiceWorkflow): Promise<unknown>;
  onError(runId: string, error: Error): void;
}

interface HotRun {
  code: HotReload;
  /** How many drives of it are under way: the second one is about to learn that it came too late. */
  drives: number;
}

/** What the code of a drive is. */
export interface HotDrive {
  workflow: ServiceWorkflow;
  /** Absent: it stays what it is. */
  updates?: CodeUpdates;
  /** The files as they are count, whatever the run was started with. */
  acceptWorkflowChange?: boolean;
}

/**
 * Newer code for the runs of one host, from their first drive until they have ended: a run that is driven takes it up between
 * two frames, one that waits is continued for it.
 */
export class HotRuns {
  readonly #options: HotRunsOptions;
  readonly #runs = new Map<string, HotRun>();

  constructor(options: HotRunsOptions) {
    this.#options = options;
  }

  /** The code that a run has here; undefined for one that was not driven here. */
  codeOf(runId: string): ServiceWorkflow | undefined {
    return this.#runs.get(runId)?.code.current;
  }

  /** From now on the run is one of this code, which it was made with. */
  keep(runId: string, workflow: ServiceWorkflow): void {
    this.#of(runId, workflow);
  }

  /** Calls `drive` with the code that the run continues with. */
  async drive(
    runId: string,
    workflow: ServiceWorkflow,
    drive: (code: HotDrive) => Promise<RunResult>,
  ): Promise<RunResult> {
    const run = this.#of(runId, workflow);
    if (run === undefined) return drive({ workflow });
    run.drives += 1;
    let isOver = true;
    try {
      const { code } = run;
      const result = await drive({ workflow: code.current, updates: code, acceptWorkflowChange: true });
      isOver = isTerminal(result.status);
      // The end of a chain that it began.
      if (result.runId !== runId && this.#runs.delete(runId)) this.#runs.set(result.runId, run);
      return result;
    } catch (error) {
      isOver = !isClaimedByOthers(error);
      throw error;
    } finally {
      run.drives -= 1;
      if (run.drives === 0 && isOver) await this.#forget(run);
      else if (run.code.hasNews) this.#takeUp(run);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => this.#forget(run)));
  }

  #of(runId: string, workflow: ServiceWorkflow): HotRun | undefined {
    const known = this.#runs.get(runId);
    if (known !== undefined) return known;
    const code = this.#options.source.follow(workflow);
    if (code === undefined) return undefined;
    const run: HotRun = { code, drives: 0 };
    this.#runs.set(runId, run);
    code.onNews(() => this.#takeUp(run));
    return run;
  }

  /** A drive that is under way hears of it itself. */
  #takeUp(run: HotRun): void {
    const runId = [...this.#runs].find(([, each]) => each === run)?.[0];
    if (run.drives > 0 || runId === undefined) return;
    this.#continue(runId, run).catch((error: unknown) => {
      if (!isClaimedByOthers(error)) this.#options.onError(runId, ensureError(error));
    });
  }

  async #continue(runId: string, run: HotRun): Promise<void> {
    const { current } = run.code;
    const stored = await (await storeOf(current)).getRun(runId);
    if (stored === undefined || isTerminal(stored.status)) return this.#forget(run);
    const mayContinue = isWaiting(stored.status) && stored.paused === null && stored.ownerId === null;
    if (mayContinue && run.drives === 0) await this.#options.takeUp(runId, current);
  }

  async #forget(run: HotRun): Promise<void> {
    for (const [runId, each] of this.#runs) if (each === run) this.#runs.delete(runId);
    await run.code.close();
  }
}
