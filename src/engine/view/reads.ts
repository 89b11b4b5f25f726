/**
 * What the last real render read of the run's outputs. A completion that
 * touches none of it leaves the frame as it is.
 */
export class RenderReads {
  readonly #tables = new Set<string>();
  readonly #nodes = new Set<string>();
  #tracking = false;

  /** Forgets the last render's reads and records until `stop`. */
  start(): void {
    this.#tables.clear();
    this.#nodes.clear();
    this.#tracking = true;
  }

  stop(): void {
    this.#tracking = false;
  }

  table(outputKey: string): void {
    if (this.#tracking) this.#tables.add(outputKey);
  }

  node(outputKey: string, nodeId: string): void {
    if (this.#tracking) this.#nodes.add(`${outputKey}\0${nodeId}`);
  }

  /** Whether a new row of this node shows in the frame. */
  covers(outputKey: string, nodeId: string): boolean {
    return this.#tables.has(outputKey) || this.#nodes.has(`${outputKey}\0${nodeId}`);
  }
}
