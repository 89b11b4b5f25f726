import { ownMicrotask } from "../util/own-timers.js";

/** By database file. An entry is kept alive by the handles that use it. */
const shared = new Map<string, WeakRef<RunListeners>>();

/** Listeners to writes of a run. */
export class RunListeners {
  readonly #listeners = new Set<(runId: string) => void>();

  /** Those of a database file; each of the process's handles of it tells them: its workflows have one each. */
  static ofFile(path: string): RunListeners {
    const known = shared.get(path)?.deref();
    if (known !== undefined) return known;
    const listeners = new RunListeners();
    shared.set(path, new WeakRef(listeners));
    return listeners;
  }

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
        ownMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
