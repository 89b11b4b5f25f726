import { agrees, type WantedTable, wantedTables } from "../migrations/generated-tables.js";
import type { Catalogue } from "../repositories/catalogue.js";
import { boundTables, type GeneratedTables, storedTables } from "../repositories/generated-tables.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import type { OutputCodec } from "../tables/output-codec.js";
import type { SqlValue, Work } from "../sql-port.js";
import type { Dialect } from "./database.js";
import { ownTable, type Places, placeTables, readCatalogue } from "./place-tables.js";
import { read, transaction } from "./work.js";

/** Tables of a schema that may get more outputs. */
export interface DeclaredTables extends DerivedTables {
  outputs: Map<string, OutputCodec>;
}

/** The database that the tables are in. */
interface PlacedIn {
  /** As messages name it. */
  readonly path: string;
  readonly dialect: Dialect;
}

interface BoundTables {
  places: Places;
  tables: GeneratedTables;
  /** The catalogue that the columns were last taken from; undefined since they were placed. */
  catalogue?: Catalogue;
}

/** Which tables of the database hold the rows of a schema, per workflow that has it. */
export class TableBindings {
  readonly #database: PlacedIn;
  readonly #derived: DeclaredTables | undefined;
  #wanted: readonly WantedTable[];
  #bound = new Map<string, BoundTables>();
  #catalogue: { version: SqlValue; tables: Catalogue } | undefined;

  constructor(database: PlacedIn, derived: DeclaredTables | undefined) {
    this.#database = database;
    this.#derived = derived;
    this.#wanted = derived === undefined ? [] : wantedTables(derived);
  }

  /** The generated tables as they are now. Any process may add one, which the database counts. */
  *catalogue(): Work<Catalogue> {
    const { dialect } = this.#database;
    const version = yield* read(dialect.schemaVersion);
    const known = this.#catalogue;
    if (known !== undefined && known.version === version) return known.tables;
    const tables = yield* readCatalogue(dialect);
    this.#catalogue = { version, tables };
    return tables;
  }

  /** All tables by what the database says about them: rows of any workflow can be read and removed. */
  *stored(): Work<GeneratedTables> {
    return storedTables(yield* this.catalogue());
  }

  /** The workflows that this handle has worked for. */
  get workflowNames(): string[] {
    return [...this.#bound.keys()];
  }

  /**
   * The schema gets more outputs, once the tables of each of the workflows are there; until then nothing has changed,
   * in the database neither.
   * @throws DB_SCHEMA_CONFLICT, DB_MISSING_COLUMNS and what the database throws
   */
  *declare(more: ReadonlyMap<string, OutputCodec>, workflowNames: ReadonlySet<string>): Work<void> {
    const derived = this.#derived;
    if (derived === undefined) return;
    const wanted = wantedTables({ ...derived, outputs: new Map([...derived.outputs, ...more]) });
    const names = workflowNames.size > 0 ? [...workflowNames] : [undefined];
    const placed = yield* transaction(() => this.#placeAll(names, wanted));
    for (const [key, codec] of more) derived.outputs.set(key, codec);
    this.#wanted = wanted;
    this.#bound.clear();
    placed.forEach((places, index) => {
      const name = names[index];
      if (name !== undefined) this.#bound.set(name, { places, tables: boundTables(derived, places) });
    });
  }

  /** Makes the tables that no workflow has made yet. */
  *prepare(): Work<void> {
    if (this.#derived !== undefined) yield* this.#place(undefined);
  }

  /**
   * The tables of a workflow that has this schema, made where they are missing.
   * Without a schema those of every workflow.
   * @throws DB_SCHEMA_CONFLICT
   */
  *of(workflowName: string): Work<GeneratedTables> {
    const derived = this.#derived;
    if (derived === undefined) return yield* this.stored();
    for (;;) {
      const known = this.#bound.get(workflowName);
      if (known !== undefined) return known.tables;
      const wanted = this.#wanted;
      const places = yield* this.#place(workflowName);
      // More outputs may have been declared meanwhile.
      if (wanted !== this.#wanted) continue;
      this.#bound.set(workflowName, { places, tables: boundTables(derived, places) });
    }
  }

  /** As `of`, with the columns that other processes have added since: their rows have checksums over those, too. */
  *fresh(workflowName: string): Work<GeneratedTables> {
    return (yield* this.known(workflowName)) ?? (yield* this.of(workflowName));
  }

  /** As `fresh`, for a workflow that this handle has worked for already. */
  *known(workflowName: string): Work<GeneratedTables | undefined> {
    const derived = this.#derived;
    if (derived === undefined || !this.#bound.has(workflowName)) return undefined;
    const catalogue = yield* this.catalogue();
    const bound = this.#bound.get(workflowName);
    if (bound === undefined) return undefined;
    if (bound.catalogue === catalogue) return bound.tables;
    const places = new Map(
      [...bound.places].map(([key, table]) => [key, catalogue.get(table.tableName) ?? table]),
    );
    const tables = boundTables(derived, places);
    this.#bound.set(workflowName, { places, tables, catalogue });
    return tables;
  }

  /** Whether a workflow has this handle's schema: its runs' input, and its rows of the key, are where they would be. */
  *isOf(workflowName: string, key: string): Work<boolean> {
    if (this.#bound.has(workflowName)) return true;
    const tables = yield* this.catalogue();
    for (const want of this.#wanted) {
      if (want.key !== key && want.key !== INPUT_KEY) continue;
      const own = yield* ownTable({ key: want.key, tables, workflowName });
      if (own === undefined ? want.key === INPUT_KEY : !agrees(want, own)) return false;
    }
    return true;
  }

  /** SQL name of a key's table for callers without a run: the one bound last, else one that is alike. */
  *nameOf(key: string): Work<string | undefined> {
    const bound = [...this.#bound.values()].at(-1)?.places.get(key);
    if (bound !== undefined) return bound.tableName;
    const placed = (yield* this.#place(undefined)).get(key);
    if (placed !== undefined) return placed.tableName;
    const tables = yield* this.catalogue();
    return [...tables.values()].find(({ schemaKey }) => schemaKey === key)?.tableName;
  }

  *#placeAll(names: readonly (string | undefined)[], wanted: readonly WantedTable[]): Work<Places[]> {
    const placed: Places[] = [];
    for (const workflowName of names) placed.push(yield* this.#place(workflowName, wanted));
    return placed;
  }

  #place(workflowName: string | undefined, wanted = this.#wanted): Work<Places> {
    const { path, dialect } = this.#database;
    return placeTables({ path, dialect, wanted, workflowName });
  }
}
