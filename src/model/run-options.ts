import type { RunAuthContext } from "./run.js";
import type { RunEvent } from "./events.js";

/** Options of one `runWorkflow` call. */
export interface RunOptions<Input = Record<string, unknown>> {
  /** Default: a new random id. */
  runId?: string;
  parentRunId?: string | null;
  /** The run's input; optional only when resuming. */
  input?: Input;
  /** Tasks running at once. @default 4 */
  maxConcurrency?: number;
  /** Attempts of a task in a row that may die with their process before the task fails; 0 = any number. @default 10 */
  maxInterruptions?: number;
  /** One frame per completion; false = one frame per batch of completions. @default true */
  requireRerenderOnOutputChange?: boolean;
  onProgress?(event: RunEvent): void;
  /**
   * Aborting cancels the run. Aborting with a PROCESS_ABORTED ServiceError as the
   * reason only stops driving it: the run stays resumable.
   */
  signal?: AbortSignal;
  /** Continue the stored run `runId`. */
  resume?: boolean;
  /** Take the run over even if it is marked running. */
  force?: boolean;
  /** Go on although mounted tasks were added, removed or changed since. */
  acceptWorkflowChange?: boolean;
  /** false = return `continued` instead of driving the next run of the chain. @default true */
  followContinuation?: boolean;
  workflowPath?: string;
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
  /** @default 60000 */
  toolTimeoutMs?: number;
  annotations?: Record<string, string | number | boolean>;
  auth?: RunAuthContext | null;
  /** JSON that the workflow reads as `ctx.config`, and its tasks as `config` of their runtime. @default {} */
  config?: Record<string, unknown>;
  /** @default "all" */
  cliAgentToolsDefault?: "all" | "explicit-only";
  /** Rows that count as already finished: table (schema key) to rows with `nodeId` and `iteration`. */
  initialOutputs?: Record<string, Record<string, unknown>[]>;
  initialIteration?: number;
  initialIterations?: Record<string, number> | Map<string, number>;
  resumeClaim?: ResumeClaim;
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
