import type { WebSocket } from "ws";

/** Bytes that wait for a client before nothing more is made for it. */
const FULL_BYTES = 262_144;

/**
 * Frames to one client. Streams wait for room before they make their next frame, so that items that a
 * client has not read yet stay where they are kept: in the database.
 */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();
  /** Since when the client has taken nothing although the outbox is full; undefined = it takes. */
  #fullSinceMs: number | undefined;
  #fullBytes = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount > FULL_BYTES;
  }

  /** Nothing once the connection closes. */
  send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frame, () => {
      if (!this.isFull) this.#wakeAll();
    });
    // A client that does not read its answers gets to ask nothing more.
    if (this.isFull && !this.#socket.isPaused) this.#socket.pause();
  }

  /** Resolves when there is room, or the signal fires. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.isFull && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#waiting.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        this.#waiting.add(done);
        signal.addEventListener("abort", done, { once: true });
      });
    }
  }

  /** For how long the client has taken nothing of a full outbox, milliseconds. */
  stuckMs(nowMs: number): number {
    const bytes = this.#socket.bufferedAmount;
    if (!this.isFull) this.#fullSinceMs = undefined;
    else if (this.#fullSinceMs === undefined || bytes < this.#fullBytes) this.#fullSinceMs = nowMs;
    this.#fullBytes = bytes;
    return this.#fullSinceMs === undefined ? 0 : nowMs - this.#fullSinceMs;
  }

  #wakeAll(): void {
    if (this.#socket.isPaused) this.#socket.resume();
    for (const wake of [...this.#waiting]) wake();
  }
}
