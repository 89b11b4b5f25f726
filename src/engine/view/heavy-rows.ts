import { promisify } from "node:util";
import { deflateRaw, inflateRawSync } from "node:zlib";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputRow } from "../../model/schema.js";
import type { Store } from "../ports.js";

/** Characters of text from which a row is heavy. */
const HEAVY = 16_384;

/** Characters of heavy rows that a run holds as they are: the newest, which are most likely to be read. */
const MOST_HELD = 4 * 1024 * 1024;

/** Levels of a row that are looked into for its text. */
const DEEPEST = 250;

const pack = promisify(deflateRaw);

export type RowStore = Pick<Store, "codec" | "outputAtOnce">;

/**
 * A row that a run holds only while it is among the newest or in use. Otherwise it is read from the database, or, where
 * that cannot answer at once, from its packed text, which is outside of the heap.
 */
export class HeavyRow {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly #outputKey: string;
  readonly #store: RowStore;
  #held: OutputRow | null;
  #inUse: WeakRef<OutputRow>;
  #packed: Buffer | null = null;

  constructor(store: RowStore, outputKey: string, row: OutputRow) {
    this.runId = row.runId;
    this.nodeId = row.nodeId;
    this.iteration = row.iteration;
    this.#store = store;
    this.#outputKey = outputKey;
    this.#held = row;
    this.#inUse = new WeakRef(row);
  }

  /** @throws STORAGE_ERROR and what the database throws */
  read(): OutputRow {
    const known = this.#held ?? this.#inUse.deref();
    if (known !== undefined) return known;
    const row = this.#packed === null ? this.#fromDatabase() : this.#unpacked(this.#packed);
    this.#inUse = new WeakRef(row);
    return row;
  }

  /** The row is in the database by now. */
  letGo(): void {
    if (this.#store.outputAtOnce !== undefined) this.#held = null;
    // One that cannot be packed stays as it is.
    else this.#letGoPacked().catch(() => {});
  }

  async #letGoPacked(): Promise<void> {
    const columns = this.#store.codec(this.#outputKey).encode({ ...this.read() });
    this.#packed = await pack(JSON.stringify(columns), { level: 1 });
    this.#held = null;
  }

  #unpacked(packed: Buffer): OutputRow {
    const columns = JSON.parse(inflateRawSync(packed).toString()) as unknown[];
    return this.#store.codec(this.#outputKey).decode(columns, this);
  }

  #fromDatabase(): OutputRow {
    const { runId, nodeId, iteration } = this;
    const row = this.#store.outputAtOnce?.(runId, this.#outputKey, nodeId, iteration);
    if (row !== undefined) return row;
    throw new ServiceError(
      "STORAGE_ERROR",
      `The row of task ${nodeId}, iteration ${iteration}, of run ${runId} is not in the database any more.`,
      { retryable: false, details: { runId, nodeId, iteration, outputKey: this.#outputKey } },
    );
  }
}

/** Decides which rows of a run are heavy, and how long they are held. */
export class HeavyRows {
  readonly #store: RowStore;
  /** Held as they are, with their text in characters; oldest first. */
  readonly #held = new Map<HeavyRow, number>();
  #heldText = 0;

  constructor(store: RowStore) {
    this.#store = store;
  }

  keep(outputKey: string, row: OutputRow): OutputRow | HeavyRow {
    const text = textOf(row, 0);
    if (text < HEAVY) return row;
    const heavy = new HeavyRow(this.#store, outputKey, row);
    this.#held.set(heavy, text);
    this.#heldText += text;
    return heavy;
  }

  /** Whatever was given to `keep` is in the database. */
  settle(): void {
    for (const [heavy, text] of this.#held) {
      if (this.#heldText <= MOST_HELD) return;
      this.#held.delete(heavy);
      this.#heldText -= text;
      heavy.letGo();
    }
  }
}

/** Characters of the texts in a value. */
function textOf(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return 0;
  let text = 0;
  for (const name in value) text += name.length + textOf((value as Record<string, unknown>)[name], depth + 1);
  return text;
}
