import type { ZodObject } from "zod";
import type { ResumeFailure, RunRow } from "../../model/run.js";
import type { OutputRow } from "../../model/schema.js";
import type { StoredScore } from "../../model/scorer.js";
import type {
  Beat,
  ClaimRequest,
  FormerOwner,
  Lease,
  RunSnapshotOptions,
  NewIntent,
  NewRun,
  RunCommit,
  RunSnapshot,
  RunWrite,
  Store,
  WriteOutcome,
} from "../contract.js";
import type { RunFilter, RunTimeFilter, RunTimeGroup } from "../filters.js";
import type { ChainedSnapshot, RowsAsOf } from "../frame-contract.js";
import type { OutputTableInfo, RowCodec } from "../row-codec.js";
import { RunListeners } from "../listeners.js";
import { deleteExpiredCache } from "../repositories/cache.js";
import { leaseLost } from "../repositories/commit.js";
import { deleteRun, listDeletable } from "../repositories/delete-runs.js";
import { hasFrame, snapshotChain } from "../repositories/frames.js";
import { runNotFound, submitIntent } from "../repositories/inbox.js";
import type { RunSources } from "../repositories/chosen-runs.js";
import { codecOf, describeTables } from "../repositories/generated-tables.js";
import { writeResumeFailure } from "../repositories/resume-failures.js";
import { RowsAsOfReader } from "../repositories/rows-as-of.js";
import { RunSnapshotReader } from "../repositories/run-snapshot.js";
import { countRunsByTime, oldestRun } from "../repositories/run-times.js";
import { beatLease, dropLease, getRunHead, listRuns, noteCompany, takeLease } from "../repositories/runs.js";
import { ofNewRun } from "../repositories/rows.js";
import { upsertScore } from "../repositories/scores.js";
import type { IsAlive } from "../slot-contract.js";
import type { Query, Work } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import type { OutputCodec } from "../tables/output-codec.js";
import { InputCodec } from "../tables/input-codec.js";
import { validateInput } from "../tables/validate-input.js";
import type { Answered, When } from "./answer.js";
import type { Database } from "./database.js";
import { StoredDeliveries, StoredSchedules } from "./host-records.js";
import { StoredLimits } from "./limits.js";
import { StoredMemory } from "./memory.js";
import { QueryReads } from "./query-reads.js";
import { RunWriter } from "./run-writer.js";
import { runAll, touch } from "./statements.js";
import { StoredRows } from "./stored-rows.js";
import { type DeclaredTables, TableBindings } from "./table-bindings.js";
import { erase, read, snapshot, transaction, unlessMissed, write } from "./work.js";

/** Runs that one transaction of deleteRuns removes. */
const DELETE_BATCH = 20;

/**
 * A store on a database, which is opened at the first call that needs it. Without declared tables it reads the
 * generated ones by what the database says about them.
 */
export class SqlStore<W extends When> extends QueryReads<W> implements Store {
  readonly schedules: StoredSchedules<W>;
  readonly deliveries: StoredDeliveries<W>;
  readonly limits: StoredLimits<W>;
  readonly memory: StoredMemory<W>;
  readonly #database: Database<W>;
  readonly #declared: DeclaredTables | undefined;
  readonly #bindings: TableBindings;
  readonly #rows: StoredRows;
  readonly #writer: RunWriter;
  readonly #intentListeners = new RunListeners();

  constructor(database: Database<W>, tables?: DerivedTables) {
    super(database);
    const declared = tables && { input: tables.input, outputs: new Map(tables.outputs) };
    this.#database = database;
    this.#declared = declared;
    this.schedules = new StoredSchedules(database);
    this.deliveries = new StoredDeliveries(database);
    this.limits = new StoredLimits(database);
    this.memory = new StoredMemory(database);
    this.#bindings = new TableBindings(database, declared);
    this.#rows = new StoredRows(this.#bindings, declared);
    this.#writer = new RunWriter(database, this.#bindings, this.#intentListeners);
  }

  get dialect(): Store["dialect"] {
    return this.#database.dialect.name;
  }

  get path(): string {
    return this.#database.path;
  }

  get clock(): Store["clock"] {
    return this.#database.clock;
  }

  prepare(): Answered<W, void> {
    return this.#database.prepare(() => this.#bindings.prepare());
  }

  /**
   * The schema gets more outputs, and their tables where they are missing. A key that it has already gets another
   * shape: that is for the caller to refuse when a run goes by it.
   * @throws DB_SCHEMA_CONFLICT where a workflow whose runs this handle works for has rows that the new shape cannot
   *   read, DB_MISSING_COLUMNS for a table that is no workflow's, and what the database throws; then nothing has changed
   */
  declareOutputs(more: ReadonlyMap<string, OutputCodec>): Answered<W, void> {
    return this.#database.run(this.#declareOutputs(more));
  }

  /** SQL name of the table of a schema key, for queries of the caller's own; undefined for an unknown key. */
  tableName(outputKey: string): Answered<W, string | undefined> {
    return this.#database.run(this.#bindings.nameOf(outputKey));
  }

  close(): Answered<W, void> {
    return this.#database.close();
  }

  createRun(run: NewRun): Answered<W, void> {
    return this.#database.run(this.#writer.write({ type: "create", run }));
  }

  listRuns(filter: RunFilter): Answered<W, RunRow[]> {
    return this.#database.run(this.#chosen(filter, (sources) => listRuns(filter, sources)));
  }

  countRunsByTime(filter: RunTimeFilter, stepMs: number): Answered<W, RunTimeGroup[]> {
    return this.#database.run(this.#chosen(filter, (sources) => countRunsByTime(filter, stepMs, sources)));
  }

  oldestRun(filter: RunTimeFilter): Answered<W, number | undefined> {
    return this.#database.run(this.#chosen(filter, (sources) => oldestRun(filter, sources)));
  }

  claimRun(request: ClaimRequest): Answered<W, Lease> {
    return this.#database.run(claim(request));
  }

  heartbeat(lease: Lease, nowMs: number): Answered<W, boolean> {
    // A heartbeat that a power failure takes away speaks of a process that it has taken away too.
    return this.#database.run(unlessMissed((onMiss) => write([beatLease(lease, nowMs, onMiss)], "relaxed")));
  }

  heartbeatTogether(beats: readonly Beat[]): Answered<W, boolean[]> {
    return this.#database.run(transaction(() => beatAll(beats), "relaxed"));
  }

  noteCompany(lease: Lease): Answered<W, boolean> {
    return this.#database.run(unlessMissed((onMiss) => write([noteCompany(lease, onMiss)], "relaxed")));
  }

  releaseLease(lease: Lease, formerly?: FormerOwner): Answered<W, boolean> {
    return this.#database.run(this.#releaseLease(lease, formerly));
  }

  commit(commit: RunCommit): Answered<W, void> {
    return this.#database.run(this.#writer.write({ type: "commit", commit }));
  }

  writeTogether(writes: readonly RunWrite[]): Answered<W, WriteOutcome[]> {
    return this.#database.run(this.#writer.writeTogether(writes));
  }

  setResumeFailure(runId: string, failure: ResumeFailure | null): Answered<W, void> {
    return this.#database.run(write([writeResumeFailure(runId, failure)], "relaxed"));
  }

  loadRun(
    runId: string,
    { asStored = false }: RunSnapshotOptions = {},
  ): Answered<W, RunSnapshot | undefined> {
    return this.#database.run(this.#loadRun(runId, !asStored));
  }

  rowsAsOf(runId: string, frameNo: number): Answered<W, RowsAsOf | undefined> {
    return this.#database.run(this.#rowsAsOf(runId, frameNo));
  }

  submitIntent(intent: NewIntent): Answered<W, number | undefined> {
    return this.#database.run(this.#submitIntent(intent));
  }

  getInput(runId: string): Answered<W, Record<string, unknown> | undefined> {
    return this.#database.run(this.#rows.input(runId));
  }

  snapshotChain(runId: string, frameNo: number): Answered<W, ChainedSnapshot[] | undefined> {
    return this.#database.run(chainOf(runId, frameNo));
  }

  getOutput(
    runId: string,
    outputKey: string,
    nodeId: string,
    iteration: number,
  ): Answered<W, OutputRow | undefined> {
    return this.#database.run(this.outputOf(runId, outputKey, { nodeId, iteration }));
  }

  protected outputOf(
    runId: string,
    outputKey: string,
    place: { nodeId: string; iteration: number },
  ): Work<OutputRow | undefined> {
    return this.#rows.output(runId, outputKey, place);
  }

  readOutput(runId: string, nodeId: string, iteration: number): Answered<W, OutputRow | undefined> {
    return this.#database.run(this.#rows.anyOutput(runId, { nodeId, iteration }));
  }

  listOutputs(runId: string, outputKey: string): Answered<W, OutputRow[]> {
    return this.#database.run(this.#rows.outputs(runId, outputKey));
  }

  saveScores(runId: string, scores: readonly StoredScore[]): Answered<W, void> {
    return this.#database.run(transaction(() => saveScores(runId, scores)));
  }

  deleteExpiredCache(nowMs: number): Answered<W, void> {
    return this.#database.run(erase(() => runAll([deleteExpiredCache(nowMs)])));
  }

  deleteRuns(runIds: readonly string[], isAlive: IsAlive = () => false): Answered<W, string[]> {
    return this.#database.run(this.#deleteRuns(runIds, isAlive));
  }

  changeToken(): Answered<W, number | undefined> {
    return this.#database.changeToken();
  }

  ownWrites(): Answered<W, number> {
    return this.#database.ownWrites();
  }

  get onNews(): Store["onNews"] {
    return this.#database.onNews?.bind(this.#database);
  }

  onChange(listener: (runId: string) => void): () => void {
    return this.#database.commits.add(listener);
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

  schemaFor(runId: string, outputKey: string): Answered<W, ZodObject | undefined> {
    return this.#database.run(this.#rows.schema(runId, outputKey));
  }

  checkIntegrity(): Answered<W, void> {
    return this.#database.checkIntegrity();
  }

  listOutputTables(): Answered<W, OutputTableInfo[]> {
    return this.#database.run(this.#listOutputTables());
  }

  *#declareOutputs(more: ReadonlyMap<string, OutputCodec>): Work<void> {
    const names = [...this.#bindings.workflowNames, ...(yield* this.#writer.workflowNames())];
    yield* this.#bindings.declare(more, new Set(names));
    this.#writer.forgetAll();
  }

  /** The tables of inputs are asked for only where a text is looked for in them. */
  *#chosen<T>({ text }: RunTimeFilter, query: (sources: RunSources) => Query<T>): Work<T> {
    const { jsonMember } = this.#database.dialect;
    const inputs = text === undefined ? [] : (yield* this.#bindings.stored()).inputs;
    return yield* read(query({ inputs, jsonMember }));
  }

  *#releaseLease(lease: Lease, formerly: FormerOwner | undefined): Work<boolean> {
    this.#writer.forget(lease.runId);
    const wasHeld = yield* unlessMissed((onMiss) => write([dropLease(lease, { onMiss, formerly })]));
    this.#database.released();
    return wasHeld;
  }

  *#loadRun(runId: string, mayFit: boolean): Work<RunSnapshot | undefined> {
    const head = yield* read(getRunHead(runId));
    if (head === undefined) return undefined;
    const mustFit = this.#declared !== undefined && mayFit;
    const bindings = this.#bindings;
    const { inputs, outputs } = yield* mustFit ? bindings.fresh(head.workflowName) : bindings.stored();
    const reader = new RunSnapshotReader(runId, { inputs, outputs, mustFit });
    return reader.read(yield* snapshot(reader.queries));
  }

  *#rowsAsOf(runId: string, frameNo: number): Work<RowsAsOf | undefined> {
    const reader = new RowsAsOfReader(runId, frameNo, yield* this.#bindings.stored());
    return reader.read(yield* snapshot(reader.queries));
  }

  *#submitIntent(intent: NewIntent): Work<number | undefined> {
    const id = yield* read(submitIntent(intent));
    if (id === undefined && (yield* read(getRunHead(intent.runId))) === undefined)
      throw runNotFound(intent.runId);
    if (id !== undefined) this.#intentListeners.notify(intent.runId);
    return id;
  }

  *#deleteRuns(runIds: readonly string[], isAlive: IsAlive): Work<string[]> {
    const deleted: string[] = [];
    // One transaction per handful, so that others are not locked out for long.
    for (let at = 0; at < runIds.length; at += DELETE_BATCH) {
      const batch = runIds.slice(at, at + DELETE_BATCH);
      deleted.push(...(yield* erase(() => this.#deleteBatch(batch, isAlive))));
    }
    return deleted;
  }

  *#deleteBatch(runIds: readonly string[], isAlive: IsAlive): Work<string[]> {
    const found = yield* read(listDeletable(runIds));
    const runs = found.filter(
      ({ ownerId, heartbeatAtMs }) => ownerId === null || !isAlive({ ownerId, heartbeatAtMs }),
    );
    const tables = [...(yield* this.#bindings.catalogue()).keys()];
    for (const run of runs) yield* runAll(deleteRun(run, tables));
    return runs.map(({ runId }) => runId);
  }

  *#listOutputTables(): Work<OutputTableInfo[]> {
    return describeTables(yield* this.#bindings.catalogue());
  }
}

function* claim(request: ClaimRequest): Work<Lease> {
  // A claim that a power failure takes away has had no effect: every commit of the owner comes after it.
  yield* write([takeLease(request)], "relaxed");
  return { runId: request.runId, ownerId: request.ownerId, epoch: request.expected.epoch + 1 };
}

function* beatAll(beats: readonly Beat[]): Work<boolean[]> {
  const held: boolean[] = [];
  for (const { lease, nowMs } of beats) {
    held.push((yield touch(beatLease(lease, nowMs, () => leaseLost(lease)))) === 1);
  }
  return held;
}

function* chainOf(runId: string, frameNo: number): Work<ChainedSnapshot[] | undefined> {
  return (yield* read(hasFrame(runId, frameNo))) ? yield* read(snapshotChain(runId, frameNo)) : undefined;
}

function* saveScores(runId: string, scores: readonly StoredScore[]): Work<void> {
  if ((yield* read(getRunHead(runId))) === undefined) throw runNotFound(runId);
  yield* runAll(scores.map((score) => ofNewRun(runId, (no) => upsertScore(no, score))));
}
