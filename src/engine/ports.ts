import type { SerializedError } from "../errors/ensure-error.js";
import type { AlertHandler } from "../model/alert.js";
import type { EventBody } from "../model/events.js";
import type { EditedPrompt } from "../model/plan.js";
import type { RenderRuntime } from "../model/render-runtime.js";
import type { WaitingStatus } from "../model/run.js";
import type { RunConfig } from "../model/run-config.js";
import type { LoadedFile } from "../model/loaded-file.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { AttemptMeta, AttemptRow, NodeRow } from "../model/node.js";
import type { OutputRow } from "../model/schema.js";
import type { Scorer, ScoreResult, ScorerInput, StoredScore, TaskScore } from "../model/scorer.js";
import type { TaskPlace } from "../model/address.js";
import type { TaskDescriptor, TaskKind, TaskRuntime } from "../model/task.js";
import type { OverBudget, PassedOn, WaitResolution } from "../scheduler/index.js";
import type { TokenUsage } from "../model/agent.js";
import type { AgentQuestion } from "../model/agent-question.js";
import type { ToolEffect } from "../model/tool-effect.js";
import type { CacheRow, Dispatch, MemoryWrite, Store, TakenReports, UsageRow } from "../store/index.js";
import type { Awaitable } from "../util/awaitable.js";
import type { Clock } from "../util/clock.js";
import type { Worktrees } from "../vcs/worktrees.js";
import type { AttemptFiles } from "../vcs/file-state.js";
import type { FileStates } from "../vcs/file-states.js";
import type { ResolvedRule } from "./alerts/rules.js";
import type { ChildRuns } from "./child-runs.js";
import type { FoundInMemory } from "./memory/found-in-memory.js";
import type { TaskCap } from "./slots/task-cap.js";
import type { CrashTrigger } from "./crash-points.js";
import type { FrameSource } from "./frame-source.js";
import type { RunWatch } from "./run-watch.js";

/** Everything the engine needs from outside; its files take their collaborators' types from here. */

export type { Clock, FrameSource, Store };

/** A workflow as the engine drives it. */
export interface EngineWorkflow {
  createFrameSource(
    runtime: RenderRuntime,
    /** `after` is the structure version of the frame that its first one follows. @default 0 */
    options: { onInvalidate: () => void; after?: number | undefined },
  ): FrameSource;
  /** Schema keys of the outputs. */
  readonly outputKeys: readonly string[];
  /** The schema key a target names. @throws UNKNOWN_OUTPUT_SCHEMA */
  outputKeyOf(target: unknown): string;
  readonly workflowHash: string | null;
  /** Files that the workflow's code was loaded from, as far as its loader reports them. */
  readonly modules: readonly string[];
  /** The files of these that are kept with the run and compared at a resume; null for a program's own. */
  readonly loaded: readonly LoadedFile[] | null;
  /** Caches every agent and compute task. */
  readonly cache: boolean;
  /** Limits that it declares; its tasks and agents may name these. */
  readonly limits: NamedLimits;
  readonly alertRules: readonly ResolvedRule[];
  readonly alertHandlers: Readonly<Record<string, AlertHandler>>;
}

/** Newer code of a workflow, as it is saved while a run is driven. */
export interface CodeUpdates {
  /** Updates since the last call, oldest first. */
  take(): CodeUpdate[];
  /** Calls back when there is something to take. Returns how to stop that. */
  onNews(listener: () => void): () => void;
}

export type CodeUpdate = { readonly changedFiles: readonly string[] } & (
  | { readonly type: "detected" }
  /** It cannot be compiled or loaded. */
  | { readonly type: "failed"; readonly error: unknown }
  /** A run cannot continue with it: it would need other tables, limits or another database. */
  | { readonly type: "unsafe"; readonly error: Error }
  | LoadedUpdate
);

export interface LoadedUpdate {
  readonly type: "loaded";
  readonly changedFiles: readonly string[];
  readonly generation: number;
  readonly workflow: EngineWorkflow;
  /** Attempts of tasks that it does not mount any more are ended. */
  readonly cancelUnmounted: boolean;
  /** Since the changed files were looked at first. */
  elapsedMs(): number;
  /** Called once: the run continues with it, or it could not be rendered. */
  tried(isAdopted: boolean): void;
}

/** Services that the runs of a process share. */
export interface EngineServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly dispatcher: TaskDispatcher;
  /** Where its attempts get theirs from; absent = unknown here. */
  readonly worktrees?: Worktrees;
  /** Kills the process in tests. */
  readonly crash?: CrashTrigger;
  /** Sees what runs do: metrics, tracing. */
  readonly watch?: RunWatch;
  /** The ends of child runs; absent where none are driven. */
  readonly childRuns?: Pick<ChildRuns, "hasWorked">;
  /** How many tasks the host runs at once, in all its runs. @default any number */
  readonly taskCap?: TaskCap;
  /** Infinity = neither heartbeats nor polling: only this process knows the run. */
  readonly heartbeatMs: number;
  /**
   * From when on a thread of its own sees to heartbeats while this one is blocked: at
   * once, or once a run has lived for a heartbeat, as short ones do not. Absent = never.
   */
  readonly beatThread?: "at-once" | "after-a-beat";
}

/**
 * Runs attempts somewhere. Job, reports and orders are JSON, so that one may send them to a worker or into a
 * sandbox which has the same workflow: what it needs besides is in the run's stored rows, from which it renders
 * the frame itself. The local one finds the task's function in the frame of this process.
 */
export interface TaskDispatcher {
  /**
   * Asked before the commit that starts the attempts: rows that it writes for those that are executed elsewhere, so
   * that none is started without them. Absent where all are executed here. Never rejects.
   */
  enlist?(jobs: readonly AttemptJob[]): Promise<readonly Dispatch[]>;
  /**
   * Attempts of the run's last owner that were executed elsewhere, and of which it has not committed all; with other code
   * than that of this name none has ended. Absent where all are executed here. Never rejects.
   */
  leftBehind?(runId: string, code: string): Promise<readonly LeftAttempt[]>;
  /** @param run the run as this process sees it, for a dispatcher that runs the attempt here */
  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle;
  /** Lets one scorer work. Never rejects. */
  score(job: ScoreJob): Promise<ScoreOutcome>;
}

/** An attempt that continued while no process drove its run; one that has ended by itself says so in its last report. */
export interface LeftAttempt extends TaskPlace, Pick<AttemptJob, "attempt"> {
  readonly hasEnded: boolean;
  readonly reports: readonly AttemptReport[];
}

/** Requests to an attempt in progress. Neither waits for an answer. */
export interface AttemptHandle {
  /** Fires the attempt's signal. The attempt then reports its end, or is given up after a grace period. */
  abort(reason: SerializedError): void;
  /** A person wants the session that the attempt's agent has, or is about to have. */
  handOver(): void;
}

/** How an attempt talks back. Reports arrive in their order, at any later time. */
export interface AttemptLink {
  report(report: AttemptReport): void;
  /** Resolves once all reports so far are kept, so that they outlive this process. Of an attempt that has lost its run, never. */
  whenKept(): Promise<void>;
  /** Asked just before the task's own code runs. False: another process may drive the run by now. */
  mayBegin(): Awaitable<boolean>;
}

export type AttemptReport =
  /** Exactly once, and last. */
  | { type: "completed"; outcome: AttemptOutcome }
  /** `json` is the checkpoint, if there is one. */
  | { type: "heartbeat"; json?: string | undefined }
  | { type: "event"; body: AttemptEventBody }
  /** A call that can be undone, when it begins and when it has ended. */
  | { type: "effect"; effect: ToolEffect }
  /** What its agent is asked. */
  | { type: "asked"; question: AgentQuestion }
  /** Another process than the run's owner is to execute it, has begun to, or still does: the attempt's row says so. */
  | { type: "placed"; at: AttemptPlacement }
  | { type: "taken"; taken: TakenReports }
  /** The task's code ends the process of the run; there is no time for anything but a synchronous write. */
  | { type: "exiting"; code: number };

/** Members that are absent stay as they are. */
export type AttemptPlacement = Pick<AttemptRow, "queue" | "ownerId" | "leaseExpiresAtMs">;

/** One attempt as data: JSON. */
export interface AttemptJob {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly kind: TaskKind;
  /** Of the task as it was started: a worker that has another one there has other code, and must not run it. */
  readonly fingerprint: string;
  /** As `TaskRuntime.idempotencyKey`. */
  readonly idempotencyKey: string;
  /** When the attempt is aborted, epoch ms; null = never. */
  readonly deadlineAtMs: number | null;
  /** Attempts that failed before; interrupted ones and those that met an exhausted quota do not count. */
  readonly failures: number;
  readonly workflowName: string;
  /** The session that the attempt belongs to, and its lease's epoch. */
  readonly ownerId: string;
  readonly epoch: number;
  /** Number of the run's next event: the rows that it was started by are the result of those before. */
  readonly nextSeq: number;
  /** Files of the running workflow's code. */
  readonly modules: readonly string[];
  /** Names the code of the workflow; processes in which it is the same mount the same tasks of the same rows. */
  readonly code: string;
  /** The queue that its task names: workers of that queue may run it. Null: it runs here. */
  readonly queue: string | null;
  readonly config: RunConfig;
  readonly resolution: WaitResolution | null;
  /** Checkpoint of the previous attempt. */
  readonly lastHeartbeat?: unknown;
  /** In the place of the task's own prompt; null: that one. */
  readonly editedPrompt: Pick<EditedPrompt, "prompt" | "editedBy"> | null;
  /** Message of the previous attempt's failure. */
  readonly previousError: string | null;
  /** The workflow caches every agent and compute task. */
  readonly cacheAll: boolean;
  /** Limits that the attempt has a slot of. */
  readonly heldLimits: readonly string[];
  /** The agent that it begins with, as a place in the chain; null: that of its failures. */
  readonly agentAt: number | null;
  /** The node that the task's `forkSource` names; null without one. */
  readonly forkedNode: NodeRow | null;
  /** Other tasks fork from this one: its conversation is kept, and it is not answered from the cache. */
  readonly isForkSource: boolean;
  /** The newest attempt of the node whose calls were undone; 0 for none. */
  readonly revertedAttempt: number;
  /** Who drove the run when this node's last attempt was interrupted, if it was: it lost the child runs as well. */
  readonly formerOwner: string | null;
}

/** A run in a process that has rendered its frame. */
export interface MountedRun {
  /** @throws INTERNAL_ERROR when the frame has no task there */
  taskAt(place: TaskPlace): MountedTask;
  /** As `TaskRuntime.scores`, for the task at `place`. */
  scores(place: TaskPlace, nodeId: string): Promise<TaskScore[]>;
  /** As `TaskRuntime.failure`, for the task at `place`. */
  failure(place: TaskPlace, nodeId: string): SerializedError | null;
}

/** A frame's part in an attempt: code, and the rows that it is given. */
export interface MountedTask {
  readonly task: TaskDescriptor;
  /** Rows for function children, by the names in `deps` and `needs`. */
  readonly args: Record<string, OutputRow | undefined>;
  /** A `deps` row that does not exist although its node has ended: the attempt fails with it. */
  readonly dependencyError: Error | null;
  /** Start-up checks of agents that this process has made for the run, or is making. */
  readonly preflights: Map<unknown, PreflightCheck>;
}

/** A job in the process that runs it. */
export type MountedJob = AttemptJob & MountedTask;

/** How a start-up check ended. `isFinal`: asking again would give the same answer. */
export type PreflightCheck = Promise<{ failure: Error | null; isFinal: boolean }>;

/** A score that was sampled and has not ended. */
export interface OpenScore {
  readonly row: StoredScore;
  readonly scorer: Scorer;
  readonly input: ScorerInput;
}

/** How a scorer has ended; `durationMs` null = it did not end by itself. */
export type ScoreOutcome =
  | { kind: "scored"; result: ScoreResult; durationMs: number }
  | { kind: "failed"; error: Error; durationMs: number | null };

/** Everything that the work of one scorer needs of its run. */
export interface ScoreJob {
  readonly score: OpenScore;
  /** Fires when nothing waits for the score any more. */
  readonly signal: AbortSignal;
  readonly runId: string;
  readonly config: RunConfig;
  readonly ownerId: string;
  /** Files of the running workflow's code. */
  readonly modules: readonly string[];
  readonly scores: TaskRuntime["scores"];
  readonly failure: TaskRuntime["failure"];
  /** Reports an event of the scorer's code. */
  onEvent(body: AttemptEventBody): void;
  /** Reports the cost of a model call. */
  onUsage(usage: TokenUsage & Pick<UsageRow, "agentId">): void;
  /** False: another process may drive the run by now. */
  mayBegin(): Awaitable<boolean>;
}

/** Events a running attempt may add to the log. */
export type AttemptEventBody =
  | Extract<EventBody, { nodeId: string; iteration: number; attempt: number }>
  | Extract<EventBody, { sandboxId: string }>
  | Extract<EventBody, { type: "MemoryRecalled" }>;

/** How an attempt has ended: JSON. */
export type AttemptOutcome =
  | {
      kind: "finished";
      /** The validated row in column form; absent for tasks without a row. See `rowOf` for its other form. */
      columns?: unknown[];
      cached: boolean;
      record: AttemptRecord;
    }
  | { kind: "failed"; error: SerializedError; quotaResetAtMs?: number; record: AttemptRecord }
  | { kind: "skipped"; reason: string; overBudget?: OverBudget; record: AttemptRecord }
  /** The process that had it is gone, or has given it back: it does not count. `isSuspect`: maybe by what the task did. */
  | { kind: "lost"; reason: string; isSuspect: boolean; record: AttemptRecord }
  /** The next agent of the chain has a limit that it has no slot of. */
  | { kind: "passed-on"; to: PassedOn; record: AttemptRecord }
  /** It has to wait for a child run that waits itself, or for a person at its session. */
  | { kind: "suspended"; status: WaitingStatus; reason: string; record: AttemptRecord };

/** The record that an attempt leaves besides its row. */
export interface AttemptRecord {
  meta?: AttemptMeta;
  usage?: UsageRow[];
  cacheWrite?: CacheRow;
  /** The task's memory write. */
  memory?: MemoryWrite;
  /** The task's input, for its scorers: its prompt, or the rows that its function got. Tagged JSON. */
  given?: string;
}

/** Reports of an attempt while it runs. */
export interface AttemptVoice {
  /** `json` is the checkpoint, if there is one. */
  heartbeat(json: string | undefined): void;
  event(body: AttemptEventBody): void;
  effect(effect: ToolEffect): void;
  /** As `AttemptLink.whenKept`. */
  whenKept(): Promise<void>;
  asked(question: AgentQuestion): void;
}

/** The argument of a kind's runner. */
export interface RunnerContext {
  readonly job: MountedJob;
  readonly runtime: TaskRuntime;
  readonly report: AttemptVoice;
  readonly record: AttemptRecord;
  readonly services: RunnerServices;
  /** The files that the task works on, as its repository keeps them. */
  readonly files: AttemptFiles;
  /** The prompt that the task's function has made, where cache or memory had to be asked by it. */
  prompt?: string | undefined;
  /** Facts that memory had for the task; absent for tasks that do not ask it. */
  found?: FoundInMemory;
  /** The agent's answer, as text. */
  answer?: string;
  /** Calls `listener` when a person wants the session, at once if one has asked already. One listener at a time. */
  onHandOver(listener: () => void): void;
}

/** Services of the process that runners of waiting-free kinds may use. */
export interface RunnerServices {
  readonly clock: Clock;
  readonly store: Store;
  readonly childRuns: ChildRuns;
  readonly worktrees: Worktrees;
  readonly fileStates: FileStates;
}

/** A runner returns the row before validation, or one of the two other answers. */
export type RunnerResult =
  /** `isFinal`: another attempt would return the same. */
  | { kind: "row"; value: unknown; isFinal?: true }
  | { kind: "valid-row"; value: Record<string, unknown> }
  | { kind: "no-row" }
  | { kind: "skip"; reason: string }
  | { kind: "pass-on"; to: PassedOn }
  | { kind: "park"; status: WaitingStatus; reason: string };

export type TaskRunner = (context: RunnerContext) => RunnerResult | Promise<RunnerResult>;
