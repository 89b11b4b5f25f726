import type { SerializedError } from "../errors/ensure-error.js";
import type { RunConfig } from "./run-config.js";

/** The stored statuses of a run. */
export const RUN_STATUSES = [
  "running",
  "waiting-approval",
  "waiting-event",
  "waiting-timer",
  "waiting-quota",
  "finished",
  "continued",
  "failed",
  "cancelled",
] as const;

/** Where a run stands; `finished`, `continued`, `failed` and `cancelled` are ends. */
export type RunStatus = (typeof RUN_STATUSES)[number];
/** What a run can wait for, as its statuses and those of its tasks have it. */
export const RUN_WAITS = ["approval", "event", "timer", "quota"] as const;
export type RunWait = (typeof RUN_WAITS)[number];

/** Who would decide requests. */
export interface RunDecider {
  /** User id. @default one who is not named */
  decidedBy?: string;
  /** Those that requests name as they hold them; `all`: of whatever scope a request names. */
  scopes: readonly string[] | "all";
}

export type WaitingStatus = Extract<RunStatus, `waiting-${string}`>;
/** The ends of runs. */
export const TERMINAL_STATUSES = ["finished", "continued", "failed", "cancelled"] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return status === "finished" || status === "continued" || status === "failed" || status === "cancelled";
}

/** Of runs that have not ended. */
export const OPEN_STATUSES = RUN_STATUSES.filter((status) => !isTerminal(status));

/** The run is done, or continues as another one: this one never runs again. */
export function hasEndedForGood({ status }: { readonly status: RunStatus }): boolean {
  return status === "finished" || status === "continued";
}

/** The run has ended without getting done, and may run on. */
export function hasEndedEarly({ status }: { readonly status: RunStatus }): boolean {
  return status === "failed" || status === "cancelled";
}

/** A resume tries again what stopped the run, or the run that it was made of. */
export function triesAgain(run: Pick<RunRow, "status" | "startedAtMs" | "config">): boolean {
  return hasEndedEarly(run) || (run.startedAtMs === null && run.config.fork?.reopens === true);
}

export function isWaiting(status: RunStatus): status is WaitingStatus {
  return status.startsWith("waiting-");
}

/** The state that readers see: the stored status corrected by the owner's liveness. */
export type RunState =
  | "queued"
  | "running"
  | "stale"
  | "stopped"
  | "orphaned"
  | WaitingStatus
  | "succeeded"
  | "failed"
  | "cancelled";

/** Where `runWorkflow` left a run. */
export interface RunResult<Output = unknown> {
  /** Of the last run of the chain, if it was continued. */
  runId: string;
  /**
   * `finished`, `failed`, `cancelled`, `continued`, or what it waits for; `running` when it was released
   * of.
   */
  status: RunStatus;
  /** Rows of the schema key `output`: one row is the object, several an array; absent without that key or row. */
  output?: Output;
  /** The first cause of a failed run: the task's own error, with `details.nodeId` and `details.attempt`. */
  error?: SerializedError;
  /** Set when the run continued as a new run. */
  nextRunId?: string;
  /** Tasks that ended as `failed`: those that were tolerated, and the one that ended the run. Absent when zero. */
  failedChildren?: number;
  /** Their keys, `nodeId::iteration`. Absent when empty. */
  failedChildKeys?: string[];
  /** Loops that stopped at `maxIterations`. Absent when empty. */
  exhaustedLoops?: string[];
}

/** One run as the store keeps it. Times are epoch milliseconds. */
export interface RunRow {
  runId: string;
  /** The run that this one is a part of; null for one that stands alone. */
  parentRunId: string | null;
  /** The name on `<Workflow>`. */
  workflowName: string;
  /** File of the workflow, when the caller said so. */
  workflowPath: string | null;
  /** Hash of the workflow's code, when it is known. */
  workflowHash: string | null;
  /** As it is stored: it may say `running` although the owner has died. */
  status: RunStatus;
  /** When it was asked for. */
  createdAtMs: number;
  /** When it was first driven; null before. */
  startedAtMs: number | null;
  /** When it ended; null before. */
  finishedAtMs: number | null;
  /** The owner's last sign of life; null when no process has driven it. */
  heartbeatAtMs: number | null;
  /** Names the process that drives the run, beginning with `<host>/<pid>/`; null when none does. */
  ownerId: string | null;
  /** Bumped by every claim; each commit carries it. */
  epoch: number;
  /** Number of the newest frame; 0 before the first. */
  frameNo: number;
  /** Sequence number of the next event. */
  nextSeq: number;
  /** The first cause of a failed run; null otherwise. */
  error: SerializedError | null;
  /** Soft failures and exhausted loops, for readers of a finished run. */
  summary: RunSummary | null;
  /** Why nothing new starts until a process resumes the run; null when it is not paused. */
  paused: RunPause | null;
  /** Epoch ms at which a waiting run moves by itself; null when only a person or another process can move it. */
  wakeAtMs: number | null;
  /** Processes in a row that died while they drove the run; 0 once it is released. */
  deaths: number;
  /** Whether runs that have nothing to do with it were at work in its owner's process since that began with it. */
  inCompany: boolean;
  /**
   * Processes in a row that took the run up alone and wrote nothing of it, the one that holds it included: when it has
   * died, what it did until then, such as the first render, ended it. 0 with the first commit.
   */
  lostStarts: number;
  /** The options that a resume continues with. */
  config: RunConfig;
  /** The run that continues it; null when none does. */
  nextRunId: string | null;
}

/** Who released a run that had more to do. */
export interface RunStop {
  /** In words: a signal and whose process received it, a host that closed. */
  reason: string;
  /** Epoch ms. */
  atMs: number;
}

/** Who ended a run before its end. */
export interface RunCancellation {
  /** In their words; null where none were given. */
  reason: string | null;
  /** Whose credentials asked for it; null where that is not known. */
  requestedBy: string | null;
  /** Epoch ms. */
  atMs: number;
}

/** Why a supervisor could not continue with a run the last time it tried. */
export interface ResumeFailure {
  /** Tries in a row that failed. */
  failures: number;
  /** The error of the last of them. */
  error: SerializedError;
  /** Epoch ms. */
  failedAtMs: number;
  /** Epoch ms of the next try; it comes earlier when there is news for the run. */
  retryAtMs: number;
  /** Entries of the run's inbox at that time that were not consumed. */
  pendingIntents: number;
  /** Changes with the workflow's code; null when it is not known. */
  code: string | null;
}

export interface RunPause {
  reason: string;
  /** Epoch ms. */
  sinceMs: number;
}

export interface RunSummary {
  failedChildKeys?: string[];
  exhaustedLoops?: string[];
}
