import type { RunEvent } from "./events.js";
import type { KeptRunOptions } from "./run-config.js";

/** Options of one `runWorkflow` call. */
export interface RunOptions<Input = Record<string, unknown>> extends KeptRunOptions {
  /** 1 to 256 letters, digits or `. : @ _ -`, not only dots. @default a random id */
  runId?: string;
  /** Kept with the run. */
  parentRunId?: string | null;
  /** The run's input, checked against the schema `input`; not read by a resume. @default {} */
  input?: Input;
  /** Called with each event once it is committed. */
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
  /** With `resume`: continue although mounted tasks were added, removed or changed since. @default false */
  acceptWorkflowChange?: boolean;
  /** false = return `continued` instead of driving the next run of the chain. @default true */
  followContinuation?: boolean;
  /** Kept with the run, so that others find the workflow. */
  workflowPath?: string;
  /** Folder that gets the run's events as NDJSON, `<runId>.ndjson`; null = none. @default null */
  logDir?: string | null;
  /**
   * The run continues with newer code whenever a file of the workflow is saved, see docs/hot-reload.md. Needs
   * `workflowPath`, or a run that was started with one. @default false
   */
  hot?: boolean | HotReloadOptions;
  /**
   * Rows that count as already finished: table (schema key) to rows with `nodeId` and `iteration`. With `resume` those
   * of nodes that are not over yet; rows that the run has made itself stay.
   */
  initialOutputs?: Record<string, Record<string, unknown>[]>;
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
   * handed back in this state when it cannot continue. @default null
   */
  restoreRuntimeOwnerId?: string | null;
  /** The heartbeat that goes with it, epoch milliseconds. @default null */
  restoreHeartbeatAtMs?: number | null;
}
