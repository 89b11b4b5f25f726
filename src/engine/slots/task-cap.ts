/**
 * How many tasks a host runs at once, whatever their runs and databases. Shared by
 * everything that drives runs for the host.
 */
export class TaskCap {
  readonly limit: number;
  #taken = 0;
  readonly #onRoom = new Set<() => void>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get room(): number {
    return Math.max(0, this.limit - this.#taken);
  }

  take(): void {
    this.#taken += 1;
  }

  leave(): void {
    this.#taken -= 1;
    for (const listener of [...this.#onRoom]) listener();
  }

  /** Called whenever a task leaves. Returns the unsubscribe function. */
  onRoom(listener: () => void): () => void {
    this.#onRoom.add(listener);
    return () => this.#onRoom.delete(listener);
  }
}
