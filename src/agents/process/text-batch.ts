import type { Clock } from "../../util/clock.js";

/**
 * Gathers text and hands it on in pieces: a thousand lines a second become some ten calls. A piece
 * leaves when it is long enough or has waited long enough.
 */
export class TextBatch {
  readonly #emit: (text: string) => void;
  readonly #clock: Clock;
  #pending = "";
  #disarm: (() => void) | undefined;

  constructor(emit: (text: string) => void, clock: Clock) {
    this.#emit = emit;
    this.#clock = clock;
  }

  add(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= LONG_ENOUGH) this.flush();
    else this.#disarm ??= this.#clock.setDelay(LONGEST_WAIT_MS, () => this.flush());
  }

  flush(): void {
    this.#disarm?.();
    this.#disarm = undefined;
    if (this.#pending === "") return;
    const text = this.#pending;
    this.#pending = "";
    this.#emit(text);
  }
}

/** Characters. */
const LONG_ENOUGH = 8_192;
const LONGEST_WAIT_MS = 100;
