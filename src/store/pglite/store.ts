import { resolve } from "node:path";
import { SqlStore } from "../logic/store.js";
import { realPathOf } from "../real-path.js";
import { checkNames } from "../postgres/check-names.js";
import { PostgresConnection } from "../postgres/connection.js";
import { shareDriver } from "../postgres/shared-driver.js";
import type { DerivedTables } from "../tables/derive-tables.js";

/** Long enough for whatever another handle of the process is at. */
const WAIT_MS = 30_000;

/** Tells databases in memory apart. */
const inMemory = { count: 0 };

/** A store on Postgres inside this process. Every method answers with a promise. */
export class PgliteStore extends SqlStore<"later"> {
  readonly connection: PostgresConnection;

  /**
   * @param dataDir relative to the current directory; absent: in memory, of this handle alone
   * @throws SCHEMA_INCOMPATIBLE for names that Postgres does not keep
   */
  constructor(dataDir: string | undefined, tables?: DerivedTables) {
    if (tables !== undefined) checkNames(tables);
    const folder = dataDir === undefined ? undefined : realPathOf(resolve(dataDir));
    const path = `pglite:${folder ?? nextInMemory()}`;
    const open = () => shareDriver(path, () => openFolder(folder));
    const connection = new PostgresConnection({
      name: "pglite",
      path,
      waitMs: WAIT_MS,
      mayCreate: true,
      readOnly: false,
      open,
    });
    super(connection, tables);
    this.connection = connection;
  }
}

async function openFolder(folder: string | undefined) {
  const { PgliteDriver } = await import("./driver.js");
  return PgliteDriver.open(folder);
}

function nextInMemory(): string {
  inMemory.count += 1;
  return `memory ${inMemory.count}`;
}
