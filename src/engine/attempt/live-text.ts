import { ByRun, type Store } from "../../store/index.js";

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
 * The text that agents of this process are writing right now. It is not kept: a client that does not listen misses it,
 * and reads in the log what has been written.
 */
export class LiveText {
  /** Agents know no host, and hosts no agent. */
  static readonly shared = new LiveText();
  readonly #listeners = new ByRun<Set<Listener>>();

  say(store: Store, piece: TextPiece): void {
    const listeners = this.#listeners.get(store, piece.runId);
    if (listeners === undefined) return;
    for (const hear of listeners) hear(piece);
  }

  /** Returns how to stop. */
  listen(store: Store, runId: string, hear: Listener): () => void {
    const listeners = this.#listeners.get(store, runId) ?? new Set();
    listeners.add(hear);
    this.#listeners.set(store, runId, listeners);
    return () => {
      listeners.delete(hear);
      if (listeners.size === 0) this.#listeners.delete(store, runId, listeners);
    };
  }
}
