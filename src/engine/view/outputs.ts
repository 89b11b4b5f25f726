import type { OutputRow } from "../../model/schema.js";
import { HeavyRow, HeavyRows, type RowStore } from "./heavy-rows.js";

/** A row as it is kept: `open` gives it. */
type Kept = OutputRow | HeavyRow;

function open(kept: Kept): OutputRow {
  return kept instanceof HeavyRow ? kept.read() : kept;
}

/** Rows of one output, in order of completion, with the look-ups that renders make. */
class OutputRows {
  readonly #rows: Kept[] = [];
  readonly #byNode = new Map<string, Map<number, Kept>>();
  readonly #latest = new Map<string, number>();
  /** Rows that earlier runs of the chain keep, by node id. */
  readonly #earlier: ReadonlyMap<string, number>;
  #view: readonly OutputRow[] | null = null;

  constructor(earlier: Readonly<Record<string, number>> = {}) {
    this.#earlier = new Map(Object.entries(earlier));
  }

  set(row: Kept): void {
    let iterations = this.#byNode.get(row.nodeId);
    if (iterations === undefined) {
      iterations = new Map();
      this.#byNode.set(row.nodeId, iterations);
    }
    const known = iterations.get(row.iteration);
    if (known === undefined) this.#rows.push(row);
    else this.#rows[this.#rows.indexOf(known)] = row;
    iterations.set(row.iteration, row);
    this.#latest.set(row.nodeId, Math.max(this.#latest.get(row.nodeId) ?? 0, row.iteration));
    this.#view = null;
  }

  get(nodeId: string, iteration: number): OutputRow | undefined {
    const kept = this.#byNode.get(nodeId)?.get(iteration);
    return kept && open(kept);
  }

  has(nodeId: string, iteration: number): boolean {
    return this.#byNode.get(nodeId)?.has(iteration) ?? false;
  }

  latest(nodeId: string): OutputRow | undefined {
    const iteration = this.#latest.get(nodeId);
    return iteration === undefined ? undefined : this.get(nodeId, iteration);
  }

  count(nodeId: string): number {
    return (this.#byNode.get(nodeId)?.size ?? 0) + (this.#earlier.get(nodeId) ?? 0);
  }

  /** A copy that later rows do not change; shared until the next one arrives. */
  all(): readonly OutputRow[] {
    this.#view ??= Object.freeze(this.#rows.map(open));
    return this.#view;
  }
}

type EarlierRows = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Every committed row of a run, for renders and `deps`, which cannot wait: in memory, but for large ones. */
export class OutputIndex {
  readonly #tables: Map<string, OutputRows>;
  readonly #heavy: HeavyRows;

  /** @param earlier rows that earlier runs of a chain keep, by output key and node id */
  constructor(store: RowStore, earlier: EarlierRows = {}) {
    this.#heavy = new HeavyRows(store);
    this.#tables = new Map(
      Object.entries(earlier).map(([outputKey, counts]) => [outputKey, new OutputRows(counts)]),
    );
  }

  set(outputKey: string, row: OutputRow): void {
    let table = this.#tables.get(outputKey);
    if (table === undefined) {
      table = new OutputRows();
      this.#tables.set(outputKey, table);
    }
    table.set(this.#heavy.keep(outputKey, row));
  }

  /** All rows are in the database: the large ones can be read there again. */
  settle(): void {
    this.#heavy.settle();
  }

  has(outputKey: string, nodeId: string, iteration: number): boolean {
    return this.#tables.get(outputKey)?.has(nodeId, iteration) ?? false;
  }

  get(outputKey: string, nodeId: string, iteration: number): OutputRow | undefined {
    return this.#tables.get(outputKey)?.get(nodeId, iteration);
  }

  latest(outputKey: string, nodeId: string): OutputRow | undefined {
    return this.#tables.get(outputKey)?.latest(nodeId);
  }

  /** Through the whole chain of runs. */
  count(outputKey: string, nodeId: string): number {
    return this.#tables.get(outputKey)?.count(nodeId) ?? 0;
  }

  all(outputKey: string): readonly OutputRow[] {
    return this.#tables.get(outputKey)?.all() ?? NO_ROWS;
  }
}

const NO_ROWS: readonly OutputRow[] = Object.freeze([]);
