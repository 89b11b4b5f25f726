/**
 * The reads of the last real render of the run. A completion that touches none of
 * it leaves the frame as it is.
 */
export class RenderReads {
  readonly #tables = new Set<string>();
  readonly #nodes = new Set<string>();
  readonly #answers = new Map<string, { readonly ask: () => unknown; readonly answer: unknown }>();
  #tracking = false;

  /** Forgets the last render's reads and records until `stop`. */
  start(): void {
    this.#tables.clear();
    this.#nodes.clear();
    this.#answers.clear();
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

  /** Of what is no row, but follows from the scheduler's state: the answer, and how to ask again. */
  answered<T>(question: string, ask: () => T): T {
    const answer = ask();
    if (this.#tracking) this.#answers.set(question, { ask, answer });
    return answer;
  }

  /** Whether the last render would be answered otherwise now. */
  get areStale(): boolean {
    for (const { ask, answer } of this.#answers.values()) if (ask() !== answer) return true;
    return false;
  }

  /** Whether a new row of this node shows in the frame. */
  covers(outputKey: string, nodeId: string): boolean {
    return this.#tables.has(outputKey) || this.#nodes.has(`${outputKey}\0${nodeId}`);
  }
}
