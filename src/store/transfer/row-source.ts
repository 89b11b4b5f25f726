import { askPort } from "../logic/work.js";
import { openExisting } from "../open-existing.js";
import { PostgresStore } from "../postgres/store.js";
import { toStoreError } from "../sqlite/errors.js";
import type { SqlPort, SqlRow, SqlValue } from "../sql-port.js";
import type { SqliteStore } from "../sqlite/store.js";

/** A table as its rows are read from one database and written to another. */
export interface TransferTable {
  readonly name: string;
  /** Quoted where they come from a workflow. */
  readonly columns: readonly string[];
  /** The column that the database numbers itself. */
  readonly serial?: string;
}

/** The rows of a database as they were at one moment, whatever is written meanwhile. */
export interface RowSource {
  /** As messages name it: without a password. */
  readonly path: string;
  all(sql: string, params: readonly SqlValue[]): Promise<SqlRow[]>;
  /** All rows of a table, a few at a time. */
  batches(table: TransferTable): AsyncIterable<SqlRow[]>;
  /** The largest number that the database has given a row of the table, also one that was deleted since. */
  lastSerial(table: TransferTable): Promise<number>;
}

/** Rows that are in memory at once: an output may be large. */
const BATCH = 100;

/**
 * Opens a database that exists, for reading only. `body` may be called again where the connection to a server was lost.
 * @throws STORAGE_ERROR, SERVICE_MIGRATION_REQUIRED for one of another version, and what `body` throws
 */
export async function readFrom<T>(path: string, body: (source: RowSource) => Promise<T>): Promise<T> {
  const store = openExisting(path, { readOnly: true });
  try {
    await store.prepare();
    if (!(store instanceof PostgresStore)) return await readFile(store, body);
    const read = (port: SqlPort) => body(serverSource(store.path, port));
    return await store.connection.reading(() => askPort(read));
  } finally {
    await store.close();
  }
}

async function readFile<T>(store: SqliteStore, body: (source: RowSource) => Promise<T>): Promise<T> {
  const { db } = store.connection.use();
  const rows = (sql: string) => db.prepare<(readonly SqlValue[])[], SqlRow>(sql).raw();
  db.exec("BEGIN");
  try {
    return await body({
      path: store.path,
      all: async (sql, params) => rows(sql).all(params),
      async *batches(table) {
        let batch: SqlRow[] = [];
        for (const row of rows(selectOf(table)).iterate([])) {
          batch.push(row);
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
        if (batch.length > 0) yield batch;
      },
      async lastSerial({ name }) {
        const [row] = rows("SELECT seq FROM sqlite_sequence WHERE name = ?").all([name]);
        return (row?.[0] ?? 0) as number;
      },
    });
  } catch (error) {
    throw toStoreError(error, "read", store.path);
  } finally {
    db.exec("ROLLBACK");
  }
}

function serverSource(path: string, port: SqlPort): RowSource {
  return {
    path,
    all: async (sql, params) => port.all(sql, params),
    async *batches(table) {
      await port.run(`DECLARE transfer NO SCROLL CURSOR FOR ${selectOf(table)}`, []);
      for (;;) {
        const batch = await port.all(`FETCH ${BATCH} FROM transfer`, []);
        if (batch.length === 0) break;
        yield batch;
      }
      await port.run("CLOSE transfer", []);
    },
    async lastSerial({ name, serial = "" }) {
      const sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence(?, ?)::regclass)";
      const [row] = await port.all(sql, [name, serial]);
      return (row?.[0] ?? 0) as number;
    },
  };
}

function selectOf({ name, columns }: TransferTable): string {
  return `SELECT ${columns.join(", ")} FROM ${name}`;
}
