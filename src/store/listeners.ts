/** Who is told about writes to a run. */
export class RunListeners {
  readonly #listeners = new Set<(runId: string) => void>();

  /** Returns the unsubscribe function. */
  add(listener: (runId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The write is done whatever a listener does: its error surfaces by itself, not as a failed write. */
  notify(runId: string): void {
    for (const listener of this.#listeners) {
      try {
        listener(runId);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
