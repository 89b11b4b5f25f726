import { agrees, type WantedTable, wantedTables } from "../migrations/generated-tables.js";
import type { Catalogue } from "../repositories/catalogue.js";
import { boundTables, type GeneratedTables, storedTables } from "../repositories/generated-tables.js";
import { type DerivedTables, INPUT_KEY } from "../tables/derive-tables.js";
import type { OutputCodec } from "../tables/output-codec.js";
import type { SqliteConnection } from "./connection.js";
import type { SqlitePort } from "./port.js";
import { ownTable, type Places, placeTables, readCatalogue } from "./place-tables.js";

/** Tables of a schema that may get more outputs. */
export interface DeclaredTables extends DerivedTables {
  outputs: Map<string, OutputCodec>;
}

interface BoundTables {
  places: Places;
  tables: GeneratedTables;
  /** What the columns were last taken from; undefined since they were placed. */
  catalogue?: Catalogue;
}

/** Which tables of the database hold the rows of a schema, per workflow that has it. */
export class TableBindings {
  readonly #connection: SqliteConnection;
  readonly #derived: DeclaredTables | undefined;
  #wanted: readonly WantedTable[];
  #bound = new Map<string, BoundTables>();
  #catalogue: { version: unknown; tables: Catalogue } | undefined;

  constructor(connection: SqliteConnection, derived: DeclaredTables | undefined) {
    this.#connection = connection;
    this.#derived = derived;
    this.#wanted = derived === undefined ? [] : wantedTables(derived);
  }

  /** The generated tables as they are now. Any process may add one, which SQLite counts. */
  get catalogue(): Catalogue {
    const { port } = this.#connection;
    const version = port.all("PRAGMA schema_version", [])[0]?.[0];
    const known = this.#catalogue;
    if (known !== undefined && known.version === version) return known.tables;
    const tables = readCatalogue(port);
    this.#catalogue = { version, tables };
    return tables;
  }

  /** All tables by what the database says about them: rows of any workflow can be read and removed. */
  get stored(): GeneratedTables {
    return storedTables(this.catalogue);
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
  declare(more: ReadonlyMap<string, OutputCodec>, workflowNames: ReadonlySet<string>): void {
    const derived = this.#derived;
    if (derived === undefined) return;
    const { port, path } = this.#connection;
    const wanted = wantedTables({ ...derived, outputs: new Map([...derived.outputs, ...more]) });
    const names = workflowNames.size > 0 ? [...workflowNames] : [undefined];
    const placed = port.exclusive(() =>
      names.map((workflowName) => placeTables(port, { path, wanted, workflowName })),
    );
    for (const [key, codec] of more) derived.outputs.set(key, codec);
    this.#wanted = wanted;
    this.#bound.clear();
    placed.forEach((places, index) => {
      const name = names[index];
      if (name !== undefined) this.#bound.set(name, { places, tables: boundTables(derived, places) });
    });
  }

  /** Makes the tables that no workflow has made yet. */
  prepare(port: SqlitePort): void {
    if (this.#derived !== undefined) this.#place(undefined, port);
  }

  /**
   * The tables of a workflow that has this schema, made where they are missing.
   * Without a schema those of every workflow.
   * @throws DB_SCHEMA_CONFLICT
   */
  of(workflowName: string): GeneratedTables {
    const derived = this.#derived;
    if (derived === undefined) return this.stored;
    const known = this.#bound.get(workflowName);
    if (known !== undefined) return known.tables;
    const places = this.#place(workflowName);
    const tables = boundTables(derived, places);
    this.#bound.set(workflowName, { places, tables });
    return tables;
  }

  /** As `of`, with the columns that other processes have added since: their rows have checksums over those, too. */
  fresh(workflowName: string): GeneratedTables {
    return this.known(workflowName) ?? this.of(workflowName);
  }

  /** As `fresh`, for a workflow that this handle has worked for already. */
  known(workflowName: string): GeneratedTables | undefined {
    const [derived, bound] = [this.#derived, this.#bound.get(workflowName)];
    if (derived === undefined || bound === undefined) return undefined;
    const { catalogue } = this;
    if (bound.catalogue === catalogue) return bound.tables;
    const places = new Map(
      [...bound.places].map(([key, table]) => [key, catalogue.get(table.tableName) ?? table]),
    );
    const tables = boundTables(derived, places);
    this.#bound.set(workflowName, { places, tables, catalogue });
    return tables;
  }

  /** Whether a workflow has this handle's schema: its runs' input, and its rows of the key, are where they would be. */
  isOf(workflowName: string, key: string): boolean {
    if (this.#bound.has(workflowName)) return true;
    const { port } = this.#connection;
    return this.#wanted
      .filter((want) => want.key === key || want.key === INPUT_KEY)
      .every((want) => {
        const own = ownTable(port, { key: want.key, tables: this.catalogue, workflowName });
        return own === undefined ? want.key !== INPUT_KEY : agrees(want, own);
      });
  }

  /** SQL name of a key's table for whoever asks without a run: the one bound last, else one that is alike. */
  nameOf(key: string): string | undefined {
    const bound = [...this.#bound.values()].at(-1)?.places.get(key);
    if (bound !== undefined) return bound.tableName;
    const candidates = () => [...this.catalogue.values()].filter(({ schemaKey }) => schemaKey === key);
    return (this.#place(undefined).get(key) ?? candidates()[0])?.tableName;
  }

  #place(workflowName: string | undefined, port = this.#connection.port): Places {
    return placeTables(port, { path: this.#connection.path, wanted: this.#wanted, workflowName });
  }
}
