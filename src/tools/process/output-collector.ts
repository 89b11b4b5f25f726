/** Keeps the first bytes of a stream and drops the rest, so that memory stays bounded. */
export class OutputCollector {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    const room = this.#maxBytes - this.#kept;
    if (room <= 0) return;
    // Copied when cut: a view would hold on to the whole chunk.
    const piece = chunk.length <= room ? chunk : Buffer.from(chunk.subarray(0, room));
    this.#chunks.push(piece);
    this.#kept += piece.length;
  }

  /** The kept bytes as text. */
  text(): string {
    return Buffer.concat(this.#chunks, this.#kept).toString("utf8");
  }
}
