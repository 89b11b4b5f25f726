import { resolve } from "node:path";
import type { TaskRuntime } from "../../model/task.js";
import type { MountedJob } from "../ports.js";
import { runRoot } from "../run-root.js";
import { sharedConfig } from "./shared-config.js";

/** What an attempt does for its task's code. */
interface Services extends Pick<TaskRuntime, "heartbeat" | "log" | "scores" | "failure"> {
  /** Made on first use: most tasks never look at it. */
  signal(): AbortSignal;
}

/** Functions are its own, since code takes them out of it; an accessor of its own would make it a slow object. */
export class AttemptRuntime implements TaskRuntime {
  readonly #signal: () => AbortSignal;
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly lastHeartbeat: unknown;
  readonly rootDir: string;
  readonly config: TaskRuntime["config"];
  readonly heartbeat: TaskRuntime["heartbeat"];
  readonly log: TaskRuntime["log"];
  readonly scores: TaskRuntime["scores"];
  readonly failure: TaskRuntime["failure"];

  constructor(job: MountedJob, { signal, heartbeat, log, scores, failure }: Services) {
    this.#signal = signal;
    this.runId = job.runId;
    this.nodeId = job.nodeId;
    this.iteration = job.iteration;
    this.attempt = job.attempt;
    this.idempotencyKey = job.idempotencyKey;
    this.lastHeartbeat = job.lastHeartbeat;
    this.rootDir = taskFolder(job);
    this.config = sharedConfig(job.config);
    this.heartbeat = heartbeat;
    this.log = log;
    this.scores = scores;
    this.failure = failure;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

/** The folder a task works in: its worktree, else the run's root. */
function taskFolder({ config, task: { worktreePath } }: MountedJob): string {
  const root = runRoot(config);
  return worktreePath === undefined ? root : resolve(root, worktreePath);
}
