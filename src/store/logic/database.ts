import type { Dispatch, TakenReports } from "../fleet-contract.js";
import type { Lease } from "../lease.js";
import type { RunListeners } from "../listeners.js";
import type { FactSearch, FactVector, FoundFact, NearestSearch, VectorPage } from "../memory-records.js";
import type { DdlWords } from "../migrations/dialect.js";
import type { Clock } from "../../util/clock.js";
import type { Query, SqlValue, Statement, Work } from "../sql-port.js";
import type { Answered, WorkRunner, When } from "./answer.js";

/** The differences between databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres" | "pglite";
  readonly words: DdlWords;
  /** Changes with every table that is made or extended, by any process. */
  readonly schemaVersion: Query<SqlValue>;
  /** Columns of a table; none when there is no such table. */
  columnsOf(tableName: string): Query<string[]>;
  /** `table.column` of all tables that may be a workflow's. */
  readonly allColumns: Query<ReadonlySet<string>>;
  /** Puts an attempt of the run into its queue. Absent where no machine besides this one reaches the database. */
  dispatch?(runNo: number, dispatch: Dispatch): Statement[];
  /** Deletes reports of workers that a commit keeps. Absent as `dispatch` is. */
  takeReports?(taken: readonly TakenReports[]): Statement;
  /** SQL of a member of the JSON that a column has, as text; NULL where it has none. */
  jsonMember(column: string, name: string): string;
  /** Facts that have words of a text, best first. */
  searchWords(search: FactSearch): Work<FoundFact[]>;
  /** See MemoryRecords, both. Without `nearestVectors` all facts are in pages. */
  pageVectors(page: VectorPage): Work<FactVector[]>;
  nearestVectors?(search: NearestSearch): Work<FactVector[]>;
}

/** The parts of a store that differ from database to database: connection, dialect, and how it answers. */
export interface Database<W extends When> extends WorkRunner<W> {
  /** File of the database, or how its connection is named in messages. */
  readonly path: string;
  readonly dialect: Dialect;
  /** See Store. */
  readonly clock: Clock;
  /** Listeners to commits of this process, through any handle of the database. */
  readonly commits: RunListeners;
  /** Opens and migrates the engine tables, and runs `makeTables` with the first opening. */
  prepare(makeTables: () => Work<void>): Answered<W, void>;
  close(): Answered<W, void>;
  /** @throws STORAGE_ERROR for damage that can be found cheaply */
  checkIntegrity(): Answered<W, void>;
  /** A commit of a run is durable, with events up to `lastSeq`. */
  committed(runNo: number, lease: Lease, lastSeq: number | undefined): void;
  /** A run was let go: a moment to tidy up in. */
  released(): void;
  /** A number that changes when another connection wrote; undefined when the database cannot tell cheaply. */
  changeToken(): Answered<W, number | undefined>;
  /** A number that changes when this connection wrote. */
  ownWrites(): Answered<W, number>;
  /** Calls back soon after others have written, where the database tells. Returns the unsubscribe function. */
  onNews?(listener: () => void): () => void;
}
