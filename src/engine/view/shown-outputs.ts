import type { OutputRow } from "../../model/schema.js";
import { rowCopy } from "./row-copy.js";
import type { OutputIndex } from "./outputs.js";

/**
 * The rows as `ctx` shows them to the author's code: one copy of each, so that
 * what it does to a row reaches neither tasks, nor results, nor the next run.
 */
export class ShownOutputs {
  readonly #outputs: OutputIndex;
  readonly #copies = new WeakMap<OutputRow, OutputRow>();
  readonly #views = new WeakMap<readonly OutputRow[], readonly OutputRow[]>();

  constructor(outputs: OutputIndex) {
    this.#outputs = outputs;
  }

  get(outputKey: string, nodeId: string, iteration: number): OutputRow | undefined {
    const row = this.#outputs.get(outputKey, nodeId, iteration);
    return row && this.#copyOf(row);
  }

  latest(outputKey: string, nodeId: string): OutputRow | undefined {
    const row = this.#outputs.latest(outputKey, nodeId);
    return row && this.#copyOf(row);
  }

  count(outputKey: string, nodeId: string): number {
    return this.#outputs.count(outputKey, nodeId);
  }

  /** The same list until the next row arrives. */
  all(outputKey: string): readonly OutputRow[] {
    const rows = this.#outputs.all(outputKey);
    let view = this.#views.get(rows);
    if (view === undefined) {
      view = Object.freeze(rows.map((row) => this.#copyOf(row)));
      this.#views.set(rows, view);
    }
    return view;
  }

  #copyOf(row: OutputRow): OutputRow {
    let copy = this.#copies.get(row);
    if (copy === undefined) {
      copy = rowCopy(row);
      this.#copies.set(row, copy);
    }
    return copy;
  }
}
