import { workspaceState } from "../../process/workspace-state.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { AttemptFiles } from "../../vcs/file-state.js";
import type { Recorded } from "../../vcs/file-states.js";
import type { RunnerContext } from "../ports.js";
import { runRoot } from "../run-root.js";

/** An aborted attempt is given up some seconds later: its files are recorded by then or not at all, milliseconds. */
const ABORTED_LIMIT_MS = 3_000;

/** Whether a task is expected to change files. Of others it shows once they call a tool that may. */
export function mayChangeFiles({ kind, worktreeId, sandbox }: TaskDescriptor): boolean {
  if (kind === "agent") return true;
  if (kind === "sandbox") return sandbox?.part === "end" && sandbox.changes !== "leave";
  return kind === "compute" && worktreeId !== undefined;
}

type RecordedAttempt = Pick<RunnerContext, "job" | "report" | "services" | "runtime">;

/**
 * Records the files that an attempt works on: once before it may change them, and once at its end. That they cannot
 * be recorded is an event, never a failure. Most attempts record nothing: nothing is looked up before it is asked for.
 */
export class FileRecord implements AttemptFiles {
  readonly #attempt: RecordedAttempt;
  #before: Promise<void> | null = null;
  #isCovered: boolean | null = null;

  constructor(attempt: RecordedAttempt) {
    this.#attempt = attempt;
  }

  before(): Promise<void> | undefined {
    if (this.#before !== null) return this.#before;
    if (!this.#covers()) return undefined;
    this.#before = this.#record("before", this.#attempt.runtime.signal);
    return this.#before;
  }

  after(): Promise<void> | undefined {
    return this.#before?.then(() => {
      const { aborted } = this.#attempt.runtime.signal;
      return this.#record("after", aborted ? AbortSignal.timeout(ABORTED_LIMIT_MS) : undefined);
    });
  }

  #covers(): boolean {
    const { job, services, runtime } = this.#attempt;
    this.#isCovered ??=
      job.config.recordVcs !== false &&
      services.fileStates.covers({ folder: runtime.rootDir, hidden: this.#hidden() });
    return this.#isCovered;
  }

  async #record(moment: "before" | "after", signal: AbortSignal | undefined): Promise<void> {
    const { job, report, services, runtime } = this.#attempt;
    const { runId, nodeId, iteration, attempt } = job;
    const rest = this.#beat();
    const folder = runtime.rootDir;
    const limitMs = job.task.timeoutMs === null ? undefined : job.task.timeoutMs / 4;
    const asked = { folder, runId, hidden: this.#hidden(), signal, limitMs };
    const recorded: Recorded = await services.fileStates.record(asked);
    rest();
    if (recorded === undefined) return;
    const place = { nodeId, iteration, attempt, moment };
    if ("state" in recorded) report.event({ type: "FilesRecorded", ...place, ...recorded.state });
    else report.event({ type: "FilesNotRecorded", ...place, reason: recorded.reason });
  }

  #hidden(): string[] {
    const { job, services } = this.#attempt;
    return workspaceState(runRoot(job.config), services.store.path);
  }

  /** Signs of life while the task itself cannot give any. */
  #beat(): () => void {
    const { job, report, services } = this.#attempt;
    const { heartbeatTimeoutMs } = job.task;
    if (heartbeatTimeoutMs === null) return () => {};
    let stop = () => {};
    const next = () => {
      report.heartbeat(undefined);
      stop = services.clock.setDelay(heartbeatTimeoutMs / 3, next);
    };
    next();
    return () => stop();
  }
}
