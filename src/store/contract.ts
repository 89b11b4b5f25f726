import type { ZodObject } from "zod";
import type { ApprovalRow } from "../model/approval.js";
import type { EventBody, StoredEvent } from "../model/events.js";
import type { LoadedFile } from "../model/loaded-file.js";
import type { AttemptRow, NodeRow } from "../model/node.js";
import type { StoredControl } from "../model/plan.js";
import type { AgentQuestion } from "../model/agent-question.js";
import type { ToolEffect } from "../model/tool-effect.js";
import type { RunConfig } from "../model/run-config.js";
import type { ResumeFailure, RunPause, RunRow, RunStatus, RunSummary } from "../model/run.js";
import type { WaitCounts } from "../model/wait-counts.js";
import type { OutputRow } from "../model/schema.js";
import type { ScoreAddress, ScoreEnd, StoredScore } from "../model/scorer.js";
import type { SerializedError } from "../errors/ensure-error.js";
import type { Awaitable } from "../util/awaitable.js";
import type { Clock } from "../util/clock.js";
import type { AcrossRuns } from "./across-runs.js";
import type { DeliveryRecords, ScheduleRecords } from "./host-records.js";
import type { ChangeMark } from "./change-marks.js";
import type { Beat, BlockedBeat, ClaimRequest, FormerOwner, Lease } from "./lease.js";
import type { Dispatch, FleetStore, TakenReports } from "./fleet-contract.js";
import type { ChainedSnapshot, FrameRange, FrameRow, FrameWrite, RowsAsOf } from "./frame-contract.js";
import type { ReplacedRow as StoredOutput } from "./engine-tables/history.js";
import type { MemoryRecords, MemoryWrite } from "./memory-records.js";
import type { CacheRow, NewIntent, OutputWrite, StoredIntent, UsageRow } from "./row-contract.js";
import type { OutputTableInfo, RowCodec } from "./row-codec.js";
import type { RecordReads } from "./record-reads.js";
import type { FreedSlot, IsAlive, LimitStore } from "./slot-contract.js";
import type {
  ApprovalFilter,
  EventQuery,
  RunFilter,
  RunTimeFilter,
  RunTimeGroup,
  WakingQuery,
} from "./filters.js";

export type {
  Beat,
  BlockedBeat,
  CacheRow,
  ClaimRequest,
  FormerOwner,
  Lease,
  NewIntent,
  OutputWrite,
  StoredIntent,
  UsageRow,
};

/**
 * The database as the engine and the operations use it. Implemented once, in logic/, for databases
 * that answer at once (sqlite/: every method returns the value itself) or later. Invariants:
 *
 * S1  A live run's rows change only through commits, each all or nothing.
 * S2  Commits and `heartbeat` succeed only while the lease holds: the run row
 *     has this owner and this epoch.
 * S3  A claim is one conditional update that bumps the epoch, so of several
 *     claimants exactly one wins and every earlier owner is fenced.
 * S4  Event sequence numbers of a run start at 0 and have no gaps.
 * S5  Anything from outside (decisions, signals, cancel requests) arrives as an
 *     inbox row and is consumed by a commit exactly once.
 */
export interface Store extends AcrossRuns, RecordReads {
  readonly dialect: "sqlite" | "postgres" | "pglite";
  /** File of the database, or how its connection is named in messages. */
  readonly path?: string;
  /**
   * What time it is for its runs: by the machine's clock, and where several machines reach the database by its
   * server's, so that none of them has to keep its own right.
   */
  readonly clock: Clock;
  readonly schedules: ScheduleRecords;
  readonly deliveries: DeliveryRecords;
  readonly memory: MemoryRecords;

  /** Opens, migrates engine tables, creates or extends the output tables. Idempotent. */
  prepare(): Awaitable<void>;
  close(): Awaitable<void>;

  // Runs and leases
  /**
   * Inserts the run row, already leased to its creator, and its input row. Without an owner it is durable before
   * this answers, with one together with the owner's next commit.
   * @throws RUN_EXISTS
   */
  createRun(run: NewRun): Awaitable<void>;
  /**
   * Durable together with the new owner's next commit.
   * @throws RUN_RESUME_CLAIM_FAILED when the row is no longer as `expected`.
   */
  claimRun(claim: ClaimRequest): Awaitable<Lease>;
  /** False when the lease is lost. */
  heartbeat(lease: Lease, nowMs: number): Awaitable<boolean>;
  /** `heartbeat` of different runs in one transaction, each answered in its place. */
  heartbeatTogether(beats: readonly Beat[]): Awaitable<boolean[]>;
  /** Other runs begin beside the lease's: the row says so before they do anything. False when the lease is lost. */
  noteCompany(lease: Lease): Awaitable<boolean>;
  /**
   * Sees to the lease's heartbeat, from a thread of its own, while this one is blocked
   * and says nothing. Absent where there is no such thread.
   */
  beatWhileBlocked?(lease: Lease, everyMs: number): BlockedBeat;
  /** Gives the lease up without a commit, keeping the status; to `formerly`, if given. False when it was lost already. */
  releaseLease(lease: Lease, formerly?: FormerOwner): Awaitable<boolean>;
  /** @throws RUN_RESUME_CLAIM_LOST when the lease is lost; then nothing was written. */
  commit(commit: RunCommit): Awaitable<void>;
  /**
   * `createRun` and `commit` of different runs in one transaction, which is durable before this answers.
   * One that is refused is undone alone; its outcome says why, in the place of the write.
   * @throws what keeps all of them from being written, such as DB_BUSY; then nothing was
   */
  writeTogether(writes: readonly RunWrite[]): Awaitable<WriteOutcome[]>;
  /**
   * Everything the engine needs to continue a run, in one consistent read.
   * @throws DB_SCHEMA_CONFLICT when the run may continue and a row does not fit the schema; not with `asStored`
   */
  loadRun(runId: string, options?: RunSnapshotOptions): Awaitable<RunSnapshot | undefined>;

  /** Looks for damage that a crash may have left, as far as that is cheap. @throws STORAGE_ERROR */
  checkIntegrity(): Awaitable<void>;

  // Runs that no process could continue with
  resumeFailure(runId: string): Awaitable<ResumeFailure | undefined>;
  /** Null: a process could. Not bound to the lease: it is about runs that no process holds. */
  setResumeFailure(runId: string, failure: ResumeFailure | null): Awaitable<void>;

  // Inbox
  /**
   * @returns the id, or undefined when it is not kept: `dedupeKey` exists already for this run, or the run has
   * ended; one that has failed keeps decisions and what is about hijacked sessions
   * @throws RUN_NOT_FOUND
   */
  submitIntent(intent: NewIntent): Awaitable<number | undefined>;
  /** In order of arrival. A row that is no intent comes as `unreadable`. */
  pendingIntents(runId: string): Awaitable<StoredIntent[]>;
  /** Those of the ids, consumed or not, in order of arrival. */
  listIntents(runId: string, ids: readonly number[]): Awaitable<StoredIntent[]>;

  // Reads
  getRun(runId: string): Awaitable<RunRow | undefined>;
  listRuns(filter: RunFilter): Awaitable<RunRow[]>;
  /** How many runs of each status were made in each span of `stepMs`, counted from the epoch; only spans with runs, oldest first. */
  countRunsByTime(filter: RunTimeFilter, stepMs: number): Awaitable<RunTimeGroup[]>;
  /** When the oldest of the runs was made, epoch milliseconds; undefined without one. */
  oldestRun(filter: RunTimeFilter): Awaitable<number | undefined>;
  /**
   * Runs that have not ended, are not paused and may have something to do: every
   * running one, and of those that wait the ones that have an owner, a time that
   * has come, an inbox with news or a node whose child run has ended. Oldest first.
   */
  wakingRuns(query: WakingQuery): Awaitable<RunRow[]>;
  /** When time alone makes a waiting run due, epoch milliseconds; undefined: never. */
  nextWake(): Awaitable<number | undefined>;
  /** Ids that start with `prefix`, newest first, at most `limit`. */
  findRunIds(prefix: string, limit: number): Awaitable<string[]>;
  getInput(runId: string): Awaitable<Record<string, unknown> | undefined>;
  /** The files that the run's code was loaded from; null when they are not known. */
  getLoadedFiles(runId: string): Awaitable<LoadedFile[] | null>;
  /** JSON Schema of what a node waits for, or has waited for; undefined where none was kept. */
  getAnswerSchema(runId: string, nodeId: string, iteration: number): Awaitable<unknown>;
  listNodes(runId: string): Awaitable<NodeRow[]>;
  /** @param iteration default: the newest that the node has a row of */
  getNode(runId: string, nodeId: string, iteration?: number): Awaitable<NodeRow | undefined>;
  countNodes(runId: string): Awaitable<Partial<Record<NodeRow["state"], number>>>;
  /** The node that has waited longest; undefined where none waits. */
  longestWaiting(runId: string): Awaitable<NodeRow | undefined>;
  listAttempts(runId: string, nodeId?: string, iteration?: number): Awaitable<AttemptRow[]>;
  listEvents(runId: string, query: EventQuery): Awaitable<StoredEvent[]>;
  /** Newest first. */
  listFrames(runId: string, query: FrameRange): Awaitable<FrameRow[]>;
  /** Undefined when there is no such frame, or its place in the log is not known. */
  rowsAsOf(runId: string, frameNo: number): Awaitable<RowsAsOf | undefined>;
  /** The keyframe and the deltas that lead to a frame's snapshot, oldest first; undefined when there is no such frame. */
  snapshotChain(runId: string, frameNo: number): Awaitable<ChainedSnapshot[] | undefined>;
  getOutput(
    runId: string,
    outputKey: string,
    nodeId: string,
    iteration: number,
  ): Awaitable<OutputRow | undefined>;
  /** `getOutput` for code that cannot wait: where others lock the database, the thread does. Absent across a network. */
  outputAtOnce?(runId: string, outputKey: string, nodeId: string, iteration: number): OutputRow | undefined;
  /** The row of a node, of any output; also when no schema of that output is known. */
  readOutput(runId: string, nodeId: string, iteration: number): Awaitable<OutputRow | undefined>;
  /** Rows of one output in order of completion. */
  listOutputs(runId: string, outputKey: string): Awaitable<OutputRow[]>;
  listApprovals(filter: ApprovalFilter): Awaitable<ApprovalRow[]>;
  getApproval(runId: string, nodeId: string, iteration: number): Awaitable<ApprovalRow | undefined>;
  /** Of all runs that have not ended. */
  countWaits(): Awaitable<WaitCounts>;
  /** The rows of the lists of runs, approvals and schedules, in short; of runs that have ended those with a greater number. */
  changeMarks(afterRunNo: number): Awaitable<ChangeMark[]>;
  listControls(runId: string): Awaitable<StoredControl[]>;
  /** Upserts, apart from the run's own commits: rows of source `batch` only. @throws RUN_NOT_FOUND */
  saveScores(runId: string, scores: readonly StoredScore[]): Awaitable<void>;
  getCache(cacheKey: string): Awaitable<CacheRow | undefined>;
  /** Deletes the cached rows whose time is over. */
  deleteExpiredCache(nowMs: number): Awaitable<void>;
  /**
   * Deletes terminal runs with everything that belongs to them; returns the ids. One that has an owner who lives is
   * left alone: it is about to continue, or tells of its end.
   * @param isAlive default: no owner does
   */
  deleteRuns(runIds: readonly string[], isAlive?: IsAlive): Awaitable<string[]>;

  /** A number that changes when another connection wrote; undefined when the store cannot tell cheaply. */
  changeToken(): Awaitable<number | undefined>;
  /** A number that changes when this handle wrote. */
  ownWrites(): Awaitable<number>;
  /**
   * Calls back soon after another connection wrote; the change token then has another value. Absent where the
   * database does not tell. Returns the unsubscribe function.
   */
  readonly onNews?: ((listener: () => void) => () => void) | undefined;
  /** Called after each commit of this process, through any handle of the database. Returns the unsubscribe function. */
  onChange(listener: (runId: string) => void): () => void;
  /** Called after each intent submitted through this handle. Returns the unsubscribe function. */
  onIntent(listener: (runId: string) => void): () => void;

  /**
   * The run input as it is stored, checked against the input table: no defaults, no transforms.
   * @throws INVALID_INPUT naming every field with what was expected and what arrived
   */
  validateInput(input: unknown): Record<string, unknown>;
  /** Encodes, validates and decodes rows of one schema key. @throws UNKNOWN_OUTPUT_SCHEMA */
  codec(outputKey: string): RowCodec;
  /** The schema of a run's output; undefined where this handle has no schemas, or not those of the run's workflow. */
  schemaFor(runId: string, outputKey: string): Awaitable<ZodObject | undefined>;

  /** Limits that its runs share. */
  readonly limits: LimitStore;

  /** The messages of driving processes and workers; absent where no other machine can reach the database. */
  readonly fleet?: FleetStore;

  /** The output tables as the database describes them, also when no schema is known. */
  listOutputTables(): Awaitable<OutputTableInfo[]>;
}

export interface NewRun {
  runId: string;
  parentRunId: string | null;
  workflowName: string;
  workflowPath: string | null;
  workflowHash: string | null;
  config: RunConfig;
  /** Validated against the input table. */
  input: Record<string, unknown>;
  /** The creator's claim (epoch 1), or null for a run that another process will drive. */
  ownerId: string | null;
  /** See RunRow. @default false */
  inCompany?: boolean;
  nowMs: number;
  /** Takes the input row of that run as it is stored, and not `input`. @default no run's */
  inputOf?: string;
  /** Nothing is done until a process resumes it. @default it waits for nothing */
  paused?: RunPause;
  /** Rows that count as done before the run begins; written together with the run. */
  seed?: RunSeed;
  /** The files that its code was loaded from. @default it is not known */
  loaded?: readonly LoadedFile[];
}

/** The rows that a new run is given, or takes over from the run that it continues. */
export interface RunSeed
  extends Pick<RunCommit, "nodes" | "outputs" | "controls" | "approvals" | "attempts"> {
  /** Output rows as the table of another run's holds them. @default none */
  stored?: readonly StoredOutput[];
  /** Signals that have arrived and that no node has taken up. @default none */
  signals?: readonly NewIntent[];
  /** Scores of outputs that come along. @default none */
  scores?: readonly StoredScore[];
  /** The log begins with these. @default none */
  events?: RunCommit["events"];
}

/** One run's write: its creation, or its next step. */
export type RunWrite = { type: "create"; run: NewRun } | { type: "commit"; commit: RunCommit };

/** `error` is what `createRun` or `commit` would have thrown. */
export type WriteOutcome = { ok: true } | { ok: false; error: unknown };

/** One step of a run: all of it or nothing. */
export interface RunCommit {
  lease: Lease;
  nowMs: number;
  run: RunPatch;
  /** Upserts. */
  nodes: NodeRow[];
  /** Upserts. */
  attempts: AttemptRow[];
  /** Upserts; `columns` come from the codec. */
  outputs: OutputWrite[];
  /** Output rows that were removed and are there again, as they were stored. @default none */
  restoredOutputs?: readonly StoredOutput[];
  /** Output rows that a reset removes. */
  removedOutputs: { outputKey: string; nodeId: string; iteration: number }[];
  /** Nodes that a reset opens again: their rows are kept as history. @default none */
  resetNodes?: { nodeId: string; iteration: number }[];
  /** Upserts. */
  controls: StoredControl[];
  events: { seq: number; timestampMs: number; body: EventBody }[];
  frames: FrameWrite[];
  /** Upserts. */
  approvals: ApprovalRow[];
  consumedIntents: number[];
  /** Inbox rows that the run's process has taken note of: they are no news to the next one. @default none */
  seenIntents?: number[];
  /** Slots of named limits that its attempts have left. @default none */
  freedSlots?: FreedSlot[];
  usage: UsageRow[];
  /** Upserts: what its agents were asked. @default none */
  questions?: AgentQuestion[];
  /** Upserts: outputs that a scorer is for. @default none */
  sampledScores?: StoredScore[];
  /** How such scores have ended. @default none */
  scoreEnds?: (ScoreAddress & ScoreEnd)[];
  /** Upserts: calls of tools that can be undone. @default none */
  toolEffects?: ToolEffect[];
  cache: CacheRow[];
  /** The memory writes of its tasks. @default nothing */
  memory?: MemoryWrite[];
  /** A run created together with this step: continue-as-new, child runs. */
  newRuns: NewRun[];
  /** Inbox rows for other runs of this database, written with this step. */
  requests: NewIntent[];
  /** Of attempts that it starts and that a worker is to execute. @default none */
  dispatches?: readonly Dispatch[];
  /** Reports of workers that this commit keeps: they are deleted with it. @default none */
  takenReports?: readonly TakenReports[];
  /** The files of the code that the run continues with. @default as it was */
  loaded?: readonly LoadedFile[];
  /** Of nodes that begin to wait for an answer or a signal. @default none */
  answerSchemas?: readonly AwaitedSchema[];
}

/** The schema that a waiting node asks for. */
export interface AwaitedSchema {
  nodeId: string;
  iteration: number;
  schema: ZodObject;
}

/** Members that are absent stay as they are. */
export interface RunPatch {
  status?: RunStatus;
  workflowName?: string;
  /** Of code that the run continues with from here. */
  workflowHash?: string | null;
  frameNo?: number;
  nextSeq?: number;
  startedAtMs?: number;
  finishedAtMs?: number | null;
  error?: SerializedError | null;
  summary?: RunSummary | null;
  paused?: RunPause | null;
  wakeAtMs?: number | null;
  lostStarts?: 0;
  /** Unconsumed signals and cancel requests are handed to it. */
  nextRunId?: string;
  /** Give the lease up with this commit; `dying`: since the process is about to end by what the run did. */
  release?: boolean | "dying";
}

export interface RunSnapshotOptions {
  /** Rows as they are, of any workflow: for a run that is only ended or looked at. @default false */
  asStored?: boolean;
}

/** A run as it is stored, without the rows of its outputs. */
export type StoredFacts = Omit<RunSnapshot, "outputs">;

export interface RunSnapshot {
  run: RunRow;
  input: Record<string, unknown>;
  nodes: NodeRow[];
  /** Attempts that are in progress. */
  openAttempts: AttemptRow[];
  controls: StoredControl[];
  /** Rows of all outputs in order of completion. */
  outputs: { outputKey: string; row: OutputRow }[];
  approvals: ApprovalRow[];
  intents: StoredIntent[];
  usage: UsageRow[];
  /** Scores of the run itself that are not there yet. */
  pendingScores: StoredScore[];
  /** Chain of the newest frame's snapshot; empty before the first frame. */
  lastSnapshot: ChainedSnapshot[];
  /** The files that its code was loaded from; null when they are not known. */
  loaded: LoadedFile[] | null;
}
