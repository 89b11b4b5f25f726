import type { RunAuthContext } from "./run.js";
import type { RunEvent } from "./events.js";

/** Options of one `runWorkflow` call. */
export interface RunOptions<Input = Record<string, unknown>> {
  /** 1 to 256 letters, digits or `. : @ _ -`, not only dots. @default a random id */
  runId?: string;
  /** Kept with the run. */
  parentRunId?: string | null;
  /** The run's input, checked against the schema `input`; not read by a resume. @default {} */
  input?: Input;
  /** Tasks running at once. @default 4 */
  maxConcurrency?: number;
  /** Attempts of a task in a row that may die with their process before the task fails; 0 = any number. @default 10 */
  maxInterruptions?: number;
  /** One frame per completion; false = one frame per batch of completions. @default true */
  requireRerenderOnOutputChange?: boolean;
  /** Is told of each event once it is committed. */
  onProgress?(event: RunEvent): void;
  /**
   * Aborting cancels the run. Aborting with a PROCESS_ABORTED ServiceError as the
   * reason only stops driving it: the run stays resumable.
   */
  signal?: AbortSignal;
  /** Continue the stored run `runId`. @default false */
  resume?: boolean;
  /** With `resume`: take the run over even if it is marked running. @default false */
  force?: boolean;
  /** With `resume`: go on although mounted tasks were added, removed or changed since. @default false */
  acceptWorkflowChange?: boolean;
  /** false = return `continued` instead of driving the next run of the chain. @default true */
  followContinuation?: boolean;
  /** Kept with the run, so that others find the workflow. */
  workflowPath?: string;
  /** Folder that tasks, tools and worktrees work in. @default the current folder */
  rootDir?: string;
  /** Folder that gets the run's events as NDJSON, `<runId>.ndjson`; null = none. @default null */
  logDir?: string | null;
  /** Network access of the bash tool. @default false */
  allowNetwork?: boolean;
  /**
   * `"none"`: commands of the bash tool run with all rights of the user, and command-line agents see the
   * database; needs `allowNetwork`. @default "required"
   */
  toolIsolation?: "required" | "none";
  /** Paths, relative to `rootDir`, that tools may change although they leave such places alone. @default none */
  writable?: readonly string[];
  /** Bytes of a tool's output. @default 200000 */
  maxOutputBytes?: number;
  /** Milliseconds that one call of a tool may take. @default 60000 */
  toolTimeoutMs?: number;
  /**
   * Milliseconds that a scorer may take, and that the run waits for its scores once it has nothing else to
   * do; what is missing then has failed with SCORER_FAILED. @default 60000
   */
  scorerTimeoutMs?: number;
  /** Kept with the run, shown in lists. */
  annotations?: Record<string, string | number | boolean>;
  /** Who starts the run: becomes `ctx.auth`. @default null */
  auth?: RunAuthContext | null;
  /** JSON that the workflow reads as `ctx.config`, and its tasks as `config` of their runtime. @default {} */
  config?: Record<string, unknown>;
  /** Which tools command-line agents may use without `allowTools`. @default "all" */
  cliAgentToolsDefault?: "all" | "explicit-only";
  /**
   * The run goes on with newer code whenever a file of the workflow is saved, see docs/hot-reload.md. Needs
   * `workflowPath`, or a run that was started with one. @default false
   */
  hot?: boolean | HotReloadOptions;
  /** Rows that count as already finished: table (schema key) to rows with `nodeId` and `iteration`. */
  initialOutputs?: Record<string, Record<string, unknown>[]>;
  /** Iteration that loops begin at. @default 0 */
  initialIteration?: number;
  /** The same by the id of the loop. */
  initialIterations?: Record<string, number> | Map<string, number>;
  /** A claim that a supervisor has made for this process. */
  resumeClaim?: ResumeClaim;
}

/** How `hot` works. */
export interface HotReloadOptions {
  /** Folder that `outDir` is relative to, and that messages name files relative to. @default the folder of the run, `rootDir` */
  rootDir?: string;
  /** Folder for the compiled generations while the run is driven. @default ".service/hmr" */
  outDir?: string;
  /** Generations whose files are kept at a time. @default 3 */
  maxGenerations?: number;
  /** End attempts in progress whose tasks the newer code does not mount any more. @default false */
  cancelUnmounted?: boolean;
  /** Milliseconds without another change after which a change counts. @default 100 */
  debounceMs?: number;
}

/** A claim that a supervisor has already made for this process. */
export interface ResumeClaim {
  claimOwnerId: string;
  claimHeartbeatAtMs: number;
  /**
   * Whose the run was before the claim: what that owner's tasks left running is ended, and the run is
   * handed back in this state when it cannot be gone on with. @default null
   */
  restoreRuntimeOwnerId?: string | null;
  /** The heartbeat that goes with it, epoch milliseconds. @default null */
  restoreHeartbeatAtMs?: number | null;
}
