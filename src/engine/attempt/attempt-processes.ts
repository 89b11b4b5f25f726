import { TASK_MARKER } from "../../model/task-marker.js";
import { OWNER_MARKER, type ProcessTerms } from "../../process/process-terms.js";
import { realPath, workspaceState } from "../../process/workspace-state.js";
import type { AttemptJob } from "../ports.js";
import { runRoot } from "../run-root.js";

type StartingAttempt = Pick<AttemptJob, "runId" | "nodeId" | "ownerId" | "config" | "modules">;

/** The terms for processes of an attempt. Most attempts start none, so everything is looked up when asked for. */
export class AttemptProcesses implements ProcessTerms {
  readonly #job: StartingAttempt;
  readonly #databasePath: string | undefined;
  #hidden: readonly string[] | undefined;
  #frozen: readonly string[] | undefined;

  constructor(job: StartingAttempt, databasePath: string | undefined) {
    this.#job = job;
    this.#databasePath = databasePath;
  }

  get isConcealing(): boolean {
    return this.#job.config.toolIsolation !== "none";
  }

  get markers(): Readonly<Record<string, string>> {
    const { runId, nodeId, ownerId } = this.#job;
    return { [TASK_MARKER]: `${runId}/${nodeId}`, [OWNER_MARKER]: ownerId };
  }

  get hidden(): readonly string[] {
    this.#hidden ??= workspaceState(runRoot(this.#job.config), this.#databasePath);
    return this.#hidden;
  }

  get frozen(): readonly string[] {
    this.#frozen ??= this.#job.modules.map(realPath);
    return this.#frozen;
  }
}
