import type { Store } from "../../store/contract.js";

/** A piece of what an agent is writing. */
export interface TextPiece {
  runId: string;
  nodeId: string;
  iteration: number;
  attempt: number;
  text: string;
}

type Listener = (piece: TextPiece) => void;

/**
 * What agents of this process are writing right now. It is not kept: whoever does not listen misses it,
 * and reads in the log what has been written.
 */
export class LiveText {
  /** Agents know no host, and hosts no agent. */
  static readonly shared = new LiveText();
  readonly #listeners = new Map<string, Set<Listener>>();

  say(store: Store, piece: TextPiece): void {
    const listeners = this.#listeners.get(keyOf(store, piece.runId));
    if (listeners === undefined) return;
    for (const hear of listeners) hear(piece);
  }

  /** Returns how to stop. */
  listen(store: Store, runId: string, hear: Listener): () => void {
    const key = keyOf(store, runId);
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(hear);
    this.#listeners.set(key, listeners);
    return () => {
      listeners.delete(hear);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }
}

/** Databases are told apart by their files: a process may have several handles of one. */
function keyOf(store: Store, runId: string): string {
  return `${store.path ?? store.dialect} ${runId}`;
}
