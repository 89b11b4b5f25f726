import type { BlockedBeat } from "../contract.js";
import type { Lease } from "../lease.js";
import type { OutputRow } from "../../model/schema.js";
import { runNow } from "../logic/answer.js";
import { SqlStore } from "../logic/store.js";
import { leaseLost } from "../repositories/commit.js";
import { beatLease } from "../repositories/runs.js";
import type { SqlPort } from "../sql-port.js";
import type { DerivedTables } from "../tables/derive-tables.js";
import { BeatThread } from "./beat-thread.js";
import { SqliteConnection } from "./connection.js";
import { resolveSqliteOptions, type SqliteOptions } from "./options.js";

/** A store on one SQLite file, or in memory. Every method answers at once, but for what waits for another process's lock. */
export class SqliteStore extends SqlStore<"soon"> {
  readonly connection: SqliteConnection;

  /** @throws INVALID_INPUT for options that are not valid; nothing is opened yet */
  constructor(options: SqliteOptions, tables?: DerivedTables) {
    const connection = new SqliteConnection(resolveSqliteOptions(options));
    super(connection, tables);
    this.connection = connection;
  }

  /** The port, for parts of the library that keep tables of their own. */
  get sql(): SqlPort {
    return this.connection.port;
  }

  outputAtOnce(runId: string, outputKey: string, nodeId: string, iteration: number): OutputRow | undefined {
    return runNow(this.connection.use().waiting, this.outputOf(runId, outputKey, { nodeId, iteration }));
  }

  beatWhileBlocked(lease: Lease, everyMs: number): BlockedBeat {
    return BeatThread.keep(
      this.path,
      everyMs,
      beatLease(lease, 0, () => leaseLost(lease)),
    );
  }
}
