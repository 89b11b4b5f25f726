import type { TaskKey } from "./address.js";
import type { RunAuthContext } from "./run-auth.js";

/** Options of a run that are kept with it, so that a resume continues with them. JSON, but for a Map of iterations. */
export interface KeptRunOptions {
  /** Tasks running at once. @default 4 */
  maxConcurrency?: number;
  /** Attempts of a task in a row that may die with their process before the task fails; 0 = any number. @default 10 */
  maxInterruptions?: number;
  /** The queue of agent and compute tasks that name none, neither themselves nor by `Workflow`; child runs have it too. @default none */
  queue?: string;
  /** One frame per completion; false = one frame per batch of completions. @default true */
  requireRerenderOnOutputChange?: boolean;
  /** Folder that tasks, tools and worktrees work in. @default the current folder */
  rootDir?: string;
  /**
   * Record the files of a task's repository before and after it, for `diffNode` and `restoreVcs`. Costs some calls of
   * git per agent's task. @default true
   */
  recordVcs?: boolean;
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
  /** Iteration that loops begin at. @default 0 */
  initialIteration?: number;
  /** The same by the id of the loop. */
  initialIterations?: Record<string, number> | Map<string, number>;
}

/** The defaults of a run's options; the docstrings above say the same. */
export const RUN_DEFAULTS = {
  maxConcurrency: 4,
  maxInterruptions: 10,
  requireRerenderOnOutputChange: true,
  recordVcs: true,
  allowNetwork: false,
  toolIsolation: "required",
  maxOutputBytes: 200_000,
  toolTimeoutMs: 60_000,
  scorerTimeoutMs: 60_000,
  auth: null,
  config: {},
  cliAgentToolsDefault: "all",
  initialIteration: 0,
} as const satisfies KeptRunOptions;

/** The options a run was started with that a resume needs again, and what engine and hosts add. JSON. */
export interface RunConfig extends Omit<KeptRunOptions, "initialIterations"> {
  maxConcurrency: number;
  requireRerenderOnOutputChange: boolean;
  initialIterations?: Record<string, number>;
  /** The state that a continue-as-new handed over; becomes `ctx.continuation`. */
  continuation?: ContinuationEnvelope;
  /** Of a run that was made of another run's past. */
  fork?: RunFork;
  /** Of a run that a gateway has started. */
  launch?: RunLaunch;
  /** The span that asked for the run, as W3C Trace Context has it; only where spans are exported. */
  traceparent?: string;
}

/** Where a run was made of another one. */
export interface RunFork {
  /** The other run. */
  runId: string;
  /** The frame that it was at. */
  frameNo: number;
  /** The fork's name. */
  label?: string | undefined;
  /** The other run had failed or was cancelled there: what stopped it is tried again, as by a resume. */
  reopens?: boolean | undefined;
}

/** How a gateway knows a run again. */
export interface RunLaunch {
  /** Under which its workflow was registered. */
  key: string;
  /** Hash of all that it was started with, where a repeated start has to be distinguished from another one. */
  paramsHash?: string;
}

export interface ContinuationEnvelope {
  fromRunId: string;
  /** Number of runs before this one in the chain. */
  depth: number;
  state?: unknown;
  /** Fire times fixed by an earlier run, epoch ms by `nodeId::iteration`. */
  timers?: Record<string, number>;
  /** Child runs that an earlier run has begun and that had not ended, by the key of their node: id of the first of their chain. */
  children?: Record<TaskKey, string>;
  /** Rows that stay in earlier runs of the chain, by output key and node id: `ctx.iterationCount` counts them. */
  earlierRows?: Record<string, Record<string, number>>;
  /**
   * Runs right before this one in which no task has begun or waited, and how much of what its rows have begun and
   * waited for they brought along. Absent where both are 0.
   */
  idle?: { runs: number; carried?: number | undefined };
}
