import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { cancelRun, requireRun, runWorkflow, stayAwake } from "../../operations/index.js";
import { logHostFailure } from "../http/log-host-failure.js";
import type { ServiceDb } from "../../store/index.js";

export interface ServedRunOptions {
  workflow: ServiceWorkflow;
  adapter: ServiceDb;
  runId: string;
  abort: AbortController;
  resumes?: boolean;
}

/** Another process drives the run: nothing is wrong, there is only nothing to do here. */
const TAKEN = [
  "RUN_OWNER_ALIVE",
  "RUN_STILL_RUNNING",
  "RUN_RESUME_CLAIM_FAILED",
  "RUN_RESUME_CLAIM_LOST",
  "RUN_NOT_RESUMABLE",
];

/** The run of a serve app: it continues once it is answered, and ends with the app's controller. */
export class ServedRun {
  readonly #options: ServedRunOptions;
  #driving: Promise<void> | undefined;

  constructor(options: ServedRunOptions) {
    this.#options = options;
    const { signal } = options.abort;
    if (signal.aborted) void this.#cancel();
    else signal.addEventListener("abort", () => void this.#cancel(), { once: true });
  }

  /** Continues with the run as long as it can, unless a process does already. */
  answered(): void {
    if (this.#options.resumes === false) return;
    this.#driving ??= this.#drive().finally(() => {
      this.#driving = undefined;
    });
  }

  async #drive(): Promise<void> {
    const { workflow, runId, abort } = this.#options;
    const { signal } = abort;
    const resume = (id: string) => runWorkflow(workflow, { runId: id, resume: true, signal });
    try {
      await stayAwake(workflow, await resume(runId), { wait: true, signal, resume });
    } catch (error) {
      if (TAKEN.some((code) => ServiceError.is(error, code))) return;
      logHostFailure(runId, ensureError(error));
    }
  }

  /** A run that only waits has no process that listens to the signal. */
  async #cancel(): Promise<void> {
    const { adapter, runId, abort } = this.#options;
    const reason: unknown = abort.signal.reason;
    if (ServiceError.is(reason, "PROCESS_ABORTED") || ServiceError.is(reason, "RUN_CANCELLED")) return;
    try {
      const run = await requireRun(adapter.store, runId);
      if (!isTerminal(run.status)) await cancelRun(adapter, { runId, reason: textOf(reason) });
    } catch (error) {
      // It has ended meanwhile, or never began: there is nothing to cancel.
      if (ServiceError.is(error, "RUN_NOT_ACTIVE") || ServiceError.is(error, "RUN_NOT_FOUND")) return;
      logHostFailure(runId, ensureError(error));
    }
  }
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : "The app that served the run was aborted.";
}
