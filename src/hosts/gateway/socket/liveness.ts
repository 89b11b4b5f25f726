/** The time that a client has to connect, milliseconds. */
const CONNECT_MS = 10_000;
/** A client that takes nothing of a full outbox is given up after this long, milliseconds. */
const STUCK_MS = 10_000;

export type Verdict = "alive" | "ping" | "silent" | "not-connected" | "stuck";

/**
 * Whether a client is there. Time is what passes between two checks: while the process itself is
 * blocked, no client has failed to answer.
 */
export class Liveness {
  readonly #heartbeatMs: number;
  #begunMs: number | undefined;
  #heardMs = 0;
  #isHeard = true;
  #pingedMs: number | undefined;
  #tickedMs = 0;
  #ticks = 0;

  constructor(heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs;
  }

  heard(): void {
    this.#isHeard = true;
  }

  check(nowMs: number, client: { isConnected: boolean; stuckMs: number }): Verdict {
    if (this.#begunMs === undefined) {
      this.#begunMs = nowMs;
      this.#tickedMs = nowMs;
    }
    if (this.#isHeard || client.stuckMs > 0) {
      this.#isHeard = false;
      this.#heardMs = nowMs;
      this.#pingedMs = undefined;
    }
    if (!client.isConnected && nowMs - this.#begunMs >= CONNECT_MS) return "not-connected";
    if (client.stuckMs >= STUCK_MS) return "stuck";
    if (this.#pingedMs !== undefined) return nowMs - this.#pingedMs >= this.#heartbeatMs ? "silent" : "alive";
    if (nowMs - this.#heardMs < 2 * this.#heartbeatMs) return "alive";
    this.#pingedMs = nowMs;
    return "ping";
  }

  /** The number of the tick that is due. */
  tick(nowMs: number): number | undefined {
    if (nowMs - this.#tickedMs < this.#heartbeatMs) return undefined;
    this.#tickedMs = nowMs;
    this.#ticks += 1;
    return this.#ticks - 1;
  }
}
