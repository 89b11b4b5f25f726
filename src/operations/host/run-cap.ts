/** How many runs a host drives at once, in all its databases. */
export class RunCap {
  readonly limit: number;
  readonly #onRoom: () => void;
  #active = 0;

  /** @param onRoom called whenever a run leaves */
  constructor(limit: number, onRoom: () => void) {
    this.limit = limit;
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#active >= this.limit;
  }

  /** A run is driven from now on. Returns the function that ends that, which may be called more than once. */
  enter(): () => void {
    this.#active += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#active -= 1;
      this.#onRoom();
    };
  }
}
