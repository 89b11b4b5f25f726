import type { OutputRow } from "../../model/schema.js";
import { rowCopy } from "./row-copy.js";
import type { OutputIndex } from "./outputs.js";

interface ShownList {
  readonly rows: readonly OutputRow[];
  /** Their copies, in the same order. */
  readonly view: readonly OutputRow[];
}

/**
 * The rows as `ctx` shows them to the author's code: one copy of each, so that
 * what it does to a row reaches neither tasks, nor results, nor the next run.
 */
export class ShownOutputs {
  readonly #outputs: OutputIndex;
  readonly #copies = new WeakMap<OutputRow, OutputRow>();
  /** The newest list of each output. */
  readonly #lists = new Map<string, ShownList>();

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
    const before = this.#lists.get(outputKey);
    if (before?.rows === rows) return before.view;
    // Lists grow at their end: a frame that reads a thousand rows looks up the copy of the new one only.
    const view = rows.map((row, index) =>
      before !== undefined && before.rows[index] === row
        ? (before.view[index] as OutputRow)
        : this.#copyOf(row),
    );
    this.#lists.set(outputKey, { rows, view: Object.freeze(view) });
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
