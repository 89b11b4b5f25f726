import { ServiceError } from "../../errors/service-error.js";
import type { SqlRow, SqlValue } from "../sql-port.js";
import { type Column, Mismatch, written } from "./column.js";
import { shown } from "./shape.js";

/** A column for every member of a row. */
export type Columns<Row> = { readonly [Member in keyof Row]-?: Column<Row[Member]> };

export interface TableDescription<Row> {
  readonly name: string;
  /** The first members, which tell the row from the others; from those of its run where rows belong to runs. */
  readonly key: readonly (keyof Row & string)[];
  /** Rows belong to a run, by its number. */
  readonly ofRun: boolean;
  readonly columns: Columns<Row>;
  /** How the database keeps its rows. */
  readonly storage?: TableStorage;
  /** The name of a row in errors. @default "Row" */
  readonly noun?: string;
}

/** Constraints and indexes besides columns and key, in the names of SQL. */
export interface TableStorage {
  /**
   * A column that the database numbers itself, never twice the same: the primary key.
   * A key that is another one is unique.
   */
  readonly serial?: string;
  /** The key tells a row from those of all runs: it does not begin with the number of its own. */
  readonly isKeyOfAll?: boolean;
  /** Rows are small: they live inside the tree of their key, where the database can do that. */
  readonly isCompact?: boolean;
  /** Columns that are unique together, besides the key. */
  readonly unique?: readonly string[];
  /** By what their names have after that of the table. */
  readonly indexes?: Readonly<Record<string, TableIndex>>;
}

export interface TableIndex {
  readonly on: readonly string[];
  /** Condition of the rows that it has. @default all */
  readonly where?: string;
}

/** A table without the type of its rows. */
export interface EngineTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly ofRun: boolean;
  readonly storage: TableStorage;
  /** The key first. */
  readonly inOrder: readonly Column<unknown>[];
  readonly width: number;
  readonly keyNames: readonly string[];
  readonly otherNames: readonly string[];
  names(alias?: string): string;
}

/** Where a row comes from. */
interface RowPlace {
  /** Position of its first value. @default 0 */
  at?: number;
  /** Its run, for the error. */
  runId?: string;
}

interface Damage extends RowPlace {
  column: string;
  problem: string;
}

/** Writes and reads the rows of one engine table, both by one description of its columns. */
export class RowTable<Row extends object> implements EngineTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly ofRun: boolean;
  readonly columns: Columns<Row>;
  readonly inOrder: readonly Column<unknown>[];
  readonly storage: TableStorage;
  readonly noun: string;
  readonly #members: readonly string[];

  constructor({ name, key, ofRun, columns, storage = {}, noun = "Row" }: TableDescription<Row>) {
    this.name = name;
    this.key = key;
    this.ofRun = ofRun;
    this.columns = columns;
    this.storage = storage;
    this.noun = noun;
    this.#members = Object.keys(columns);
    this.inOrder = Object.values(columns);
  }

  /** Names of all columns, for a SELECT that `read` is to understand. */
  names(alias?: string): string {
    return this.inOrder.map(({ name }) => (alias === undefined ? name : `${alias}.${name}`)).join(", ");
  }

  /** Number of columns. */
  get width(): number {
    return this.inOrder.length;
  }

  /** Names of the columns that tell the row from the others, and of the rest: together in the order of `write`. */
  get keyNames(): string[] {
    return this.key.map((member) => this.#column(member).name);
  }

  get otherNames(): string[] {
    return this.inOrder.slice(this.key.length).map(({ name }) => name);
  }

  /** The same table seen through some of its columns. */
  pick<Member extends keyof Row & string>(...members: readonly Member[]): RowTable<Pick<Row, Member>> {
    const columns = Object.fromEntries(members.map((member) => [member, this.columns[member]]));
    const key = members.filter((member) => this.key.includes(member));
    return new RowTable<Pick<Row, Member>>({ ...this, key, columns: columns as never });
  }

  /** The same table without one of its columns. */
  without<Member extends keyof Row & string>(member: Member): RowTable<Omit<Row, Member>> {
    const others = this.#members.filter((each) => each !== member);
    return this.pick(...(others as (keyof Row & string)[])) as unknown as RowTable<Omit<Row, Member>>;
  }

  /** The values of a row in the order of `names`. @throws INTERNAL_ERROR for a value that could not be read again */
  write(row: Row): SqlValue[] {
    return this.#fill([], row as Members);
  }

  /** As `write`, after the number of the row's run. */
  writeOf(runNo: number, row: Row): SqlValue[] {
    return this.#fill([runNo], row as Members);
  }

  /** As `write`, of one member. */
  writeMember<Member extends keyof Row & string>(member: Member, value: Row[Member]): SqlValue {
    const column = this.#column(member);
    try {
      return written(column, value);
    } catch (error) {
      throw this.#refused(column, error);
    }
  }

  /** @throws STORAGE_ERROR naming table, row and column */
  read(values: SqlRow, place: RowPlace = {}): Row {
    const { at = 0 } = place;
    const row: Members = {};
    let index = 0;
    try {
      for (; index < this.inOrder.length; index += 1) {
        const value = (this.inOrder[index] as Column<unknown>).read(values[index + at] as SqlValue);
        if (value !== undefined) row[this.#members[index] as string] = value;
      }
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const { name } = this.inOrder[index] as Column<unknown>;
      throw this.damaged(values, { ...place, column: name, problem: error.problem });
    }
    return row as Row;
  }

  /** `read` of every row. */
  all(rows: readonly SqlRow[], runId?: string): Row[] {
    const place = runId === undefined ? {} : { runId };
    return rows.map((row) => this.read(row, place));
  }

  /** `read` of the only row; undefined when there is none. */
  first(rows: readonly SqlRow[], runId?: string): Row | undefined {
    return this.all(rows.slice(0, 1), runId)[0];
  }

  /** The error for a row that this library has not written so. */
  damaged(values: SqlRow, { column, problem, at = 0, runId }: Damage): ServiceError {
    const row = this.key.map((member) => shown(values[this.#members.indexOf(member) + at])).join(", ");
    // The row of a run is named by its key.
    const isRun = !this.ofRun && row !== "";
    const place = [
      ...(row === "" ? [] : [row]),
      ...(runId === undefined || isRun ? [] : [`of run "${runId}"`]),
    ].join(" ");
    return new ServiceError(
      "STORAGE_ERROR",
      `${this.noun} ${place} in table ${this.name}: ${column} ${problem}.`,
      {
        retryable: false,
        details: { table: this.name, row, column, ...(runId !== undefined && { runId }) },
      },
    );
  }

  #column(member: string): Column<unknown> {
    return (this.columns as Readonly<Record<string, Column<unknown>>>)[member] as Column<unknown>;
  }

  #fill(values: SqlValue[], row: Members): SqlValue[] {
    let index = 0;
    try {
      for (; index < this.inOrder.length; index += 1) {
        const value = row[this.#members[index] as string];
        const column = this.inOrder[index] as Column<unknown>;
        // Most values of most rows: each call less counts for a row that is written thousands of times.
        values.push(value === column.nullIs ? null : column.write(value));
      }
    } catch (error) {
      throw this.#refused(this.inOrder[index] as Column<unknown>, error);
    }
    return values;
  }

  #refused({ name }: Column<unknown>, error: unknown): unknown {
    if (!(error instanceof Mismatch)) return error;
    return new ServiceError(
      "INTERNAL_ERROR",
      `A row for table ${this.name} was refused: its ${name} ${error.problem}.`,
      { details: { table: this.name, column: name } },
    );
  }
}

type Members = Record<string, unknown>;
