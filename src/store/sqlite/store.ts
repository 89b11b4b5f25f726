import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { StoredEvent } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import type { StoredControl } from "../../model/plan.js";
import type { RunRow } from "../../model/run.js";
import type { OutputRow } from "../../model/schema.js";
import type {
  ApprovalFilter,
  CacheRow,
  ClaimRequest,
  EventQuery,
  FrameRow,
  Lease,
  NewIntent,
  NewRun,
  OutputTableInfo,
  RowCodec,
  RunCommit,
  RunFilter,
  RunImage,
  RunWrite,
  StirringQuery,
  Store,
  StoredIntent,
  StoredSnapshot,
  UsageRow,
  WriteOutcome,
} from "../contract.js";
import { RunListeners } from "../listeners.js";
import { wantedTables } from "../migrations/generated-tables.js";
import { getApproval, listApprovals } from "../repositories/approvals.js";
import { listAttempts } from "../repositories/attempts.js";
import { getCache } from "../repositories/cache.js";
import { catalogue } from "../repositories/catalogue.js";
import { commitStatements, leaseLost, newRunStatements } from "../repositories/commit.js";
import { listControls } from "../repositories/controls.js";
import { deleteRun, listDeletable } from "../repositories/delete-runs.js";
import { listEvents } from "../repositories/events.js";
import { hasFrame, listFrames, snapshotChain } from "../repositories/frames.js";
import { pendingIntents, submitIntent } from "../repositories/inbox.js";
import { countNodes, getNode, listNodes } from "../repositories/nodes.js";
import {
  cataloguedTables,
  DeclaredTables,
  describeTables,
  type GeneratedTables,
} from "../repositories/generated-tables.js";
import { getInput, type OutputTableSql } from "../repositories/outputs.js";
import { RunImageReader } from "../repositories/run-image.js";
import {
  beatLease,
  claimRun,
  dropLease,
  findRunIds,
  getRun,
  getRunHead,
  listRuns,
} from "../repositories/runs.js";
import { stirringRuns } from "../repositories/stirring-runs.js";
import { listUsage } from "../repositories/usage.js";
import type { Durability, Query, Statement, SyncSqlPort } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import { validateInput } from "../tables/validate-input.js";
import { SqliteConnection } from "./connection.js";
import { resolveSqliteOptions, type SqliteOptions } from "./options.js";

/** Runs that one transaction of deleteRuns removes. */
const DELETE_BATCH = 20;

/**
 * A store on one SQLite file. Every method answers at once; the file is opened at
 * the first call that needs it. Without declared tables it reads the generated
 * ones by what the database says about them.
 */
export class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly connection: SqliteConnection;
  readonly #declared: DeclaredTables | undefined;
  /** Numbers of the runs this handle commits for; an entry goes with the lease. */
  readonly #runNos = new Map<string, number>();
  readonly #commitListeners = new RunListeners();
  readonly #intentListeners = new RunListeners();

  /** @throws INVALID_INPUT for options that are not valid; nothing is opened yet */
  constructor(options: SqliteOptions, tables?: DerivedTables) {
    this.#declared = tables === undefined ? undefined : new DeclaredTables(tables);
    this.connection = new SqliteConnection(
      resolveSqliteOptions(options),
      tables === undefined ? [] : wantedTables(tables),
    );
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
    this.connection.use();
  }

  close(): void {
    this.connection.close();
  }

  createRun(run: NewRun): void {
    this.#writeAlone({ type: "create", run });
  }

  claimRun(claim: ClaimRequest): Lease {
    this.#port.write([claimRun(claim)]);
    return { runId: claim.runId, ownerId: claim.ownerId, epoch: claim.expected.epoch + 1 };
  }

  heartbeat(lease: Lease, nowMs: number): boolean {
    // A heartbeat that a power failure takes away speaks of a process that it has taken away too.
    return this.#holds(lease, (onMiss) => beatLease(lease, nowMs, onMiss), "relaxed");
  }

  releaseLease(lease: Lease): boolean {
    const held = this.#holds(lease, (onMiss) => dropLease(lease, onMiss));
    this.#runNos.delete(lease.runId);
    this.connection.shrinkWal();
    return held;
  }

  commit(commit: RunCommit): void {
    this.#writeAlone({ type: "commit", commit });
  }

  writeTogether(writes: readonly RunWrite[]): WriteOutcome[] {
    const members = writes.map((write) => () => this.#statementsOf(write));
    const outcomes = this.connection.port.together(members);
    outcomes.forEach(({ ok }, index) => {
      const write = writes[index];
      if (ok && write !== undefined) this.#afterWrite(write);
    });
    return outcomes;
  }

  loadRun(runId: string): RunImage | undefined {
    const reader = new RunImageReader(runId, this.#tables);
    return reader.read(this.#port.snapshot(reader.queries));
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

  stirringRuns(query: StirringQuery): RunRow[] {
    return this.#read(stirringRuns(query));
  }

  findRunIds(prefix: string, limit: number): string[] {
    return this.#read(findRunIds(prefix, limit));
  }

  getInput(runId: string): Record<string, unknown> | undefined {
    return this.#read(getInput(this.#tables.input, runId));
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

  snapshotChain(runId: string, frameNo: number): StoredSnapshot[] | undefined {
    return this.#read(hasFrame(runId, frameNo)) ? this.#read(snapshotChain(runId, frameNo)) : undefined;
  }

  getOutput(runId: string, outputKey: string, nodeId: string, iteration: number): OutputRow | undefined {
    return this.#read(this.#tables.output(outputKey).get(runId, nodeId, iteration));
  }

  readOutput(runId: string, nodeId: string, iteration: number): OutputRow | undefined {
    const declared = this.#declared?.outputs ?? new Map<string, OutputTableSql>();
    const catalogued = cataloguedTables(this.#read(catalogue())).outputs;
    for (const table of new Map([...catalogued, ...declared]).values()) {
      const row = this.#read(table.get(runId, nodeId, iteration));
      if (row !== undefined) return row;
    }
    return undefined;
  }

  listOutputs(runId: string, outputKey: string): OutputRow[] {
    return this.#read(this.#tables.output(outputKey).list(runId));
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

  getCache(cacheKey: string): CacheRow | undefined {
    return this.#read(getCache(cacheKey));
  }

  deleteRuns(runIds: readonly string[]): string[] {
    const deleted: string[] = [];
    // One transaction per handful, so that others are not locked out for long.
    for (let at = 0; at < runIds.length; at += DELETE_BATCH) {
      deleted.push(...this.#deleteBatch(runIds.slice(at, at + DELETE_BATCH)));
    }
    this.connection.shrinkWal();
    return deleted;
  }

  changeToken(): number {
    return this.#port.all("PRAGMA data_version", [])[0]?.[0] as number;
  }

  onChange(listener: (runId: string) => void): () => void {
    return this.#commitListeners.add(listener);
  }

  onIntent(listener: (runId: string) => void): () => void {
    return this.#intentListeners.add(listener);
  }

  validateInput(input: unknown): Record<string, unknown> {
    return validateInput(this.#tables.input, input);
  }

  codec(outputKey: string): RowCodec {
    return this.#tables.codec(outputKey);
  }

  listOutputTables(): OutputTableInfo[] {
    return describeTables(this.#read(catalogue()));
  }

  get #tables(): GeneratedTables {
    return this.#declared ?? cataloguedTables(this.#read(catalogue()));
  }

  get #port(): SyncSqlPort {
    return this.connection.port;
  }

  #read<T>({ sql, params, read }: Query<T>): T {
    return read(this.#port.all(sql, params));
  }

  #writeAlone(write: RunWrite): void {
    this.#port.write(this.#statementsOf(write));
    this.#afterWrite(write);
  }

  #statementsOf(write: RunWrite): Statement[] {
    if (write.type === "create") return newRunStatements(write.run, this.#tables);
    const { commit } = write;
    const runNo = this.#runNoOf(commit.lease);
    const onFenced = () => this.#explainFence(commit);
    return commitStatements(commit, { runNo, tables: this.#tables, onFenced });
  }

  /** Once it is durable. */
  #afterWrite(write: RunWrite): void {
    if (write.type === "create") return this.#commitListeners.notify(write.run.runId);
    const { lease, run, newRuns, requests } = write.commit;
    if (run.release === true) {
      this.#runNos.delete(lease.runId);
      this.connection.shrinkWal();
    }
    this.#commitListeners.notify(lease.runId);
    for (const { runId } of newRuns) this.#commitListeners.notify(runId);
    for (const { runId } of requests) this.#intentListeners.notify(runId);
  }

  #deleteBatch(runIds: readonly string[]): string[] {
    return this.connection.port.exclusive(() => {
      const runs = this.#read(listDeletable(runIds));
      const tables = [...this.#read(catalogue()).keys()];
      for (const run of runs) this.connection.port.runAll(deleteRun(run, tables));
      return runs.map(({ runId }) => runId);
    });
  }

  /** Runs one statement that only the holder of the lease can make; false when it is lost. */
  #holds(lease: Lease, statement: (onMiss: () => Error) => Statement, durability?: Durability): boolean {
    let lost: Error | undefined;
    const onMiss = () => {
      lost = leaseLost(lease);
      return lost;
    };
    try {
      this.#port.write([statement(onMiss)], durability);
      return true;
    } catch (error) {
      if (error === lost) return false;
      throw error;
    }
  }

  #runNoOf(lease: Lease): number {
    const known = this.#runNos.get(lease.runId);
    if (known !== undefined) return known;
    const head = this.#read(getRunHead(lease.runId));
    if (head === undefined) throw leaseLost(lease);
    this.#runNos.set(lease.runId, head.runNo);
    return head.runNo;
  }

  /** Called inside the refused transaction, so it sees what the fence saw. */
  #explainFence({ lease, events }: RunCommit): Error {
    const head = this.#read(getRunHead(lease.runId));
    if (head === undefined || head.ownerId !== lease.ownerId || head.epoch !== lease.epoch) {
      this.#runNos.delete(lease.runId);
      return leaseLost(lease);
    }
    return new ServiceError(
      "INTERNAL_ERROR",
      `A commit of run "${lease.runId}" continues the event log at ${events[0]?.seq}, but the next number is ${head.nextSeq}.`,
    );
  }
}

function runNotFound(runId: string): ServiceError {
  return new ServiceError("RUN_NOT_FOUND", `There is no run "${runId}" in the database.`, {
    details: { runId },
  });
}
