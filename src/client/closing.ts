/**
 * That a client was closed, for all that it has under way: an AbortSignal warns in Node of as many listeners
 * as a client may well have streams.
 */
export class Closing {
  readonly #listeners = new Set<() => void>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns how to end that. */
  onClose(listener: () => void): () => void {
    if (this.#isClosed) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
