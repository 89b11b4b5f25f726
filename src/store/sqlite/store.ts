import type { ZodObject } from "zod";
import type { ApprovalRow } from "../../model/approval.js";
import type { StoredEvent } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { StoredControl } from "../../model/plan.js";
import type { ResumeFailure, RunRow } from "../../model/run.js";
import type { OutputRow } from "../../model/schema.js";
import type { AggregateOptions, AggregateScore, SampledScore, StoredScore } from "../../model/scorer.js";
import type {
  Beat,
  BlockedBeat,
  CacheRow,
  ChainedSnapshot,
  ClaimRequest,
  FormerOwner,
  FrameRow,
  Lease,
  RunSnapshotOptions,
  NewIntent,
  NewRun,
  RunCommit,
  RunSnapshot,
  RunWrite,
  Store,
  StoredIntent,
  UsageRow,
  WriteOutcome,
} from "../contract.js";
import type { ApprovalFilter, EventQuery, RunFilter, ScoreFilter, WakingQuery } from "../filters.js";
import type { OutputTableInfo, RowCodec } from "../row-codec.js";
import { RunListeners } from "../listeners.js";
import { getApproval, listApprovals } from "../repositories/approvals.js";
import { listAttempts } from "../repositories/attempts.js";
import { deleteExpiredCache, getCache } from "../repositories/cache.js";
import { leaseLost } from "../repositories/commit.js";
import { listControls } from "../repositories/controls.js";
import { deleteRun, listDeletable } from "../repositories/delete-runs.js";
import { listEvents } from "../repositories/events.js";
import { hasFrame, listFrames, snapshotChain } from "../repositories/frames.js";
import { pendingIntents, runNotFound, submitIntent } from "../repositories/inbox.js";
import { countNodes, getNode, listNodes } from "../repositories/nodes.js";
import { codecOf, describeTables } from "../repositories/generated-tables.js";
import { getResumeFailure, writeResumeFailure } from "../repositories/resume-failures.js";
import { RunSnapshotReader } from "../repositories/run-snapshot.js";
import {
  beatLease,
  takeLease,
  dropLease,
  findRunIds,
  getRun,
  getRunHead,
  listRuns,
} from "../repositories/runs.js";
import { wakingRuns } from "../repositories/waking-runs.js";
import { ofNewRun } from "../repositories/rows.js";
import { aggregateScores, listScores, upsertScore } from "../repositories/scores.js";
import { listUsage } from "../repositories/usage.js";
import type { IsAlive } from "../slot-contract.js";
import type { Durability, Query, Statement, SyncSqlPort } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import type { OutputCodec } from "../tables/output-codec.js";
import { InputCodec } from "../tables/input-codec.js";
import { validateInput } from "../tables/validate-input.js";
import { BeatThread } from "./beat-thread.js";
import { SqliteConnection } from "./connection.js";
import { SqliteDeliveries, SqliteSchedules } from "./host-records.js";
import { SqliteLimits } from "./limits.js";
import { SqliteMemory } from "./memory.js";
import { resolveSqliteOptions, type SqliteOptions } from "./options.js";
import { RunWriter } from "./run-writer.js";
import { StoredRows } from "./stored-rows.js";
import { type DeclaredTables, TableBindings } from "./table-bindings.js";

/** Runs that one transaction of deleteRuns removes. */
const DELETE_BATCH = 20;

/**
 * A store on one SQLite file. Every method answers at once; the file is opened at
 * the first call that needs it. Without declared tables it reads the generated
 * ones by what the database says about them.
 */
export class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly schedules = new SqliteSchedules(() => this.sql);
  readonly deliveries = new SqliteDeliveries(() => this.sql);
  readonly connection: SqliteConnection;
  readonly limits = new SqliteLimits(() => this.connection.port);
  readonly memory: SqliteMemory;
  readonly #declared: DeclaredTables | undefined;
  readonly #bindings: TableBindings;
  readonly #rows: StoredRows;
  readonly #writer: RunWriter;
  readonly #intentListeners = new RunListeners();

  /** @throws INVALID_INPUT for options that are not valid; nothing is opened yet */
  constructor(options: SqliteOptions, tables?: DerivedTables) {
    const declared = tables && { input: tables.input, outputs: new Map(tables.outputs) };
    this.#declared = declared;
    this.connection = new SqliteConnection(resolveSqliteOptions(options));
    this.memory = new SqliteMemory(this.connection);
    this.#bindings = new TableBindings(this.connection, declared);
    this.#rows = new StoredRows(this.connection, this.#bindings, declared);
    this.#writer = new RunWriter(this.connection, this.#bindings, this.#intentListeners);
  }

  /** File of the database, or `:memory:`. */
  get path(): string {
    return this.connection.path;
  }

  /** The port, for parts of the library that keep tables of their own. */
  get sql(): SyncSqlPort {
    return this.connection.port;
  }

  prepare(): void {
    this.connection.use((port) => this.#bindings.prepare(port));
  }

  /**
   * The schema gets more outputs, and their tables where they are missing. A key that it has already gets another
   * shape: that is for the caller to refuse when a run goes by it.
   * @throws DB_SCHEMA_CONFLICT where a workflow whose runs this handle works for has rows that the new shape cannot
   *   read, DB_MISSING_COLUMNS for a table that is no workflow's, and what the database throws; then nothing has changed
   */
  declareOutputs(more: ReadonlyMap<string, OutputCodec>): void {
    const names = [...this.#bindings.workflowNames, ...this.#writer.workflowNames];
    this.#bindings.declare(more, new Set(names));
    this.#writer.forgetTables();
  }

  /** SQL name of the table of a schema key, for queries of the caller's own; undefined for an unknown key. */
  tableName(outputKey: string): string | undefined {
    return this.#bindings.nameOf(outputKey);
  }

  close(): void {
    this.connection.close();
  }

  createRun(run: NewRun): void {
    this.#writer.write({ type: "create", run });
  }

  claimRun(claim: ClaimRequest): Lease {
    // A claim that a power failure takes away has had no effect: every commit of the owner comes after it.
    this.sql.write([takeLease(claim)], "relaxed");
    return { runId: claim.runId, ownerId: claim.ownerId, epoch: claim.expected.epoch + 1 };
  }

  heartbeat(lease: Lease, nowMs: number): boolean {
    // A heartbeat that a power failure takes away speaks of a process that it has taken away too.
    return this.#holds(lease, (onMiss) => beatLease(lease, nowMs, onMiss), "relaxed");
  }

  heartbeatTogether(beats: readonly Beat[]): boolean[] {
    const { port } = this.connection;
    return port.exclusive(
      () =>
        beats.map(({ lease, nowMs }) => port.touch(beatLease(lease, nowMs, () => leaseLost(lease))) === 1),
      "relaxed",
    );
  }

  beatWhileBlocked(lease: Lease, everyMs: number): BlockedBeat {
    return BeatThread.keep(
      this.path,
      everyMs,
      beatLease(lease, 0, () => leaseLost(lease)),
    );
  }

  releaseLease(lease: Lease, formerly?: FormerOwner): boolean {
    this.#writer.forget(lease.runId);
    const held = this.#holds(lease, (onMiss) => dropLease(lease, { onMiss, formerly }));
    this.connection.shrinkWal();
    return held;
  }

  commit(commit: RunCommit): void {
    this.#writer.write({ type: "commit", commit });
  }

  writeTogether(writes: readonly RunWrite[]): WriteOutcome[] {
    return this.#writer.writeTogether(writes);
  }

  resumeFailure(runId: string): ResumeFailure | undefined {
    return this.#read(getResumeFailure(runId));
  }
  setResumeFailure(runId: string, failure: ResumeFailure | null): void {
    this.sql.write([writeResumeFailure(runId, failure)], "relaxed");
  }

  loadRun(runId: string, { asStored = false }: RunSnapshotOptions = {}): RunSnapshot | undefined {
    const head = this.#read(getRunHead(runId));
    if (head === undefined) return undefined;
    const mustFit = this.#declared !== undefined && !asStored;
    const { inputs, outputs } = mustFit ? this.#bindings.fresh(head.workflowName) : this.#bindings.stored;
    const reader = new RunSnapshotReader(runId, { inputs, outputs, mustFit });
    return reader.read(this.sql.snapshot(reader.queries));
  }

  submitIntent(intent: NewIntent): number | undefined {
    const id = this.#read(submitIntent(intent));
    if (id === undefined && this.#read(getRunHead(intent.runId)) === undefined)
      throw runNotFound(intent.runId);
    if (id !== undefined) this.#intentListeners.notify(intent.runId);
    return id;
  }

  pendingIntents(runId: string): StoredIntent[] {
    return this.#read(pendingIntents(runId));
  }
  getRun(runId: string): RunRow | undefined {
    return this.#read(getRun(runId));
  }
  listRuns(filter: RunFilter): RunRow[] {
    return this.#read(listRuns(filter));
  }
  wakingRuns(query: WakingQuery): RunRow[] {
    return this.#read(wakingRuns(query));
  }

  findRunIds(prefix: string, limit: number): string[] {
    return this.#read(findRunIds(prefix, limit));
  }

  getInput(runId: string): Record<string, unknown> | undefined {
    return this.#rows.input(runId);
  }

  listNodes(runId: string): NodeRow[] {
    return this.#read(listNodes(runId));
  }

  getNode(runId: string, nodeId: string, iteration?: number): NodeRow | undefined {
    return this.#read(getNode(runId, nodeId, iteration));
  }

  countNodes(runId: string): Partial<Record<NodeRow["state"], number>> {
    return this.#read(countNodes(runId));
  }

  listAttempts(runId: string, nodeId?: string, iteration?: number): AttemptRow[] {
    return this.#read(listAttempts(runId, nodeId, iteration));
  }

  listEvents(runId: string, query: EventQuery): StoredEvent[] {
    return this.#read(listEvents(runId, query));
  }

  listFrames(runId: string, query: { afterFrameNo?: number; limit: number }): FrameRow[] {
    return this.#read(listFrames(runId, query));
  }

  snapshotChain(runId: string, frameNo: number): ChainedSnapshot[] | undefined {
    return this.#read(hasFrame(runId, frameNo)) ? this.#read(snapshotChain(runId, frameNo)) : undefined;
  }

  getOutput(runId: string, outputKey: string, nodeId: string, iteration: number): OutputRow | undefined {
    return this.#rows.output(runId, outputKey, { nodeId, iteration });
  }

  readOutput(runId: string, nodeId: string, iteration: number): OutputRow | undefined {
    return this.#rows.anyOutput(runId, { nodeId, iteration });
  }

  listOutputs(runId: string, outputKey: string): OutputRow[] {
    return this.#rows.outputs(runId, outputKey);
  }

  listApprovals(filter: ApprovalFilter): ApprovalRow[] {
    return this.#read(listApprovals(filter));
  }

  getApproval(runId: string, nodeId: string, iteration: number): ApprovalRow | undefined {
    return this.#read(getApproval({ runId, nodeId, iteration }));
  }
  listControls(runId: string): StoredControl[] {
    return this.#read(listControls(runId));
  }

  listUsage(runId: string): UsageRow[] {
    return this.#read(listUsage(runId));
  }

  listScores(filter: ScoreFilter): SampledScore[] {
    return this.#read(listScores(filter));
  }
  aggregateScores(options: AggregateOptions): AggregateScore[] {
    return this.#read(aggregateScores(options));
  }
  saveScores(runId: string, scores: readonly StoredScore[]): void {
    this.connection.port.exclusive(() => {
      if (this.#read(getRunHead(runId)) === undefined) throw runNotFound(runId);
      this.connection.port.runAll(scores.map((score) => ofNewRun(runId, (no) => upsertScore(no, score))));
    });
  }

  getCache(cacheKey: string): CacheRow | undefined {
    return this.#read(getCache(cacheKey));
  }

  deleteExpiredCache(nowMs: number): void {
    this.connection.erasing(() => this.sql.write([deleteExpiredCache(nowMs)]));
  }

  deleteRuns(runIds: readonly string[], isAlive: IsAlive = () => false): string[] {
    const deleted: string[] = [];
    // One transaction per handful, so that others are not locked out for long.
    for (let at = 0; at < runIds.length; at += DELETE_BATCH) {
      const batch = runIds.slice(at, at + DELETE_BATCH);
      deleted.push(...this.connection.erasing(() => this.#deleteBatch(batch, isAlive)));
    }
    return deleted;
  }

  changeToken(): number {
    return this.sql.all("PRAGMA data_version", [])[0]?.[0] as number;
  }

  onChange(listener: (runId: string) => void): () => void {
    return this.connection.commits.add(listener);
  }

  onIntent(listener: (runId: string) => void): () => void {
    return this.#intentListeners.add(listener);
  }

  validateInput(input: unknown): Record<string, unknown> {
    return validateInput(this.#declared?.input ?? new InputCodec(undefined), input);
  }

  codec(outputKey: string): RowCodec {
    return codecOf(this.#declared, outputKey);
  }

  schemaFor(runId: string, outputKey: string): ZodObject | undefined {
    return this.#rows.schema(runId, outputKey);
  }

  checkIntegrity(): void {
    this.connection.checkIntegrity();
  }

  listOutputTables(): OutputTableInfo[] {
    return describeTables(this.#bindings.catalogue);
  }

  #read<T>({ sql, params, read }: Query<T>): T {
    return read(this.sql.all(sql, params));
  }

  #deleteBatch(runIds: readonly string[], isAlive: IsAlive): string[] {
    return this.connection.port.exclusive(() => {
      const runs = this.#read(listDeletable(runIds)).filter(
        ({ ownerId, heartbeatAtMs }) => ownerId === null || !isAlive({ ownerId, heartbeatAtMs }),
      );
      const tables = [...this.#bindings.catalogue.keys()];
      for (const run of runs) this.connection.port.runAll(deleteRun(run, tables));
      return runs.map(({ runId }) => runId);
    });
  }

  /** Runs one statement that only the holder of the lease can make; false when it is lost. */
  #holds(lease: Lease, statement: (onMiss: () => Error) => Statement, durability?: Durability): boolean {
    const lost = leaseLost(lease);
    try {
      this.sql.write([statement(() => lost)], durability);
      return true;
    } catch (error) {
      if (error === lost) return false;
      throw error;
    }
  }
}
