import { ServiceError } from "../errors/service-error.js";
import { monotonicMs } from "../util/monotonic-ms.js";

/** A component may take this long to load, milliseconds of the machine. */
const MOST_WAIT_MS = 10_000;

const awaited = new Set<FrameWaits>();

/** Whether a frame of this process is being waited for. */
export function isFrameAwaited(): boolean {
  return awaited.size > 0;
}

/** The data that a tree has been waiting for since it was last drawn whole. */
export class Absence {
  sinceMs = monotonicMs();
  readonly #waiters = new Set<() => void>();
  isTooLong = false;

  /** Data has been loaded, or no component asks for it any more. */
  end(): void {
    for (const wake of this.#waiters) wake();
  }

  async ended(): Promise<void> {
    const leftMs = this.sinceMs + MOST_WAIT_MS - monotonicMs();
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(giveUp);
        this.#waiters.delete(wake);
        resolve();
      };
      const giveUp = setTimeout(() => {
        this.isTooLong = true;
        wake();
      }, leftMs);
      this.#waiters.add(wake);
    });
  }
}

/** Inside a `<Suspense>` a component is being loaded, or waits with `use()`: the frame can only be drawn after it. */
export class FrameWaits extends ServiceError {
  readonly #absence: Absence;

  constructor(absence: Absence) {
    super("WORKFLOW_RENDER_FAILED", "A component inside <Suspense> is still waiting for what it loads.");
    this.#absence = absence;
  }

  /** The error the frame fails with; null as long as it is worth waiting. */
  get tooLong(): ServiceError | null {
    if (!this.#absence.isTooLong) return null;
    return new ServiceError(
      "WORKFLOW_RENDER_FAILED",
      `A component inside <Suspense> has waited for ${MOST_WAIT_MS / 1_000} s: a frame waits for code that is loaded (React.lazy), not for work. Await that in a task's function.`,
    );
  }

  /** It is what an earlier tree of the same code has waited for: its time counts. */
  goOnFrom(earlier: FrameWaits): void {
    this.#absence.sinceMs = earlier.#absence.sinceMs;
  }

  /** Resolves when it is worth drawing the frame again, or has taken too long. */
  async settled(): Promise<void> {
    awaited.add(this);
    try {
      await this.#absence.ended();
    } finally {
      awaited.delete(this);
    }
  }

  /** As `settled`. @throws the reason of the signal, at once */
  async settledUnless(signal: AbortSignal | undefined): Promise<void> {
    const stop = () => this.#absence.end();
    signal?.addEventListener("abort", stop);
    try {
      if (signal?.aborted !== true) await this.settled();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    signal?.throwIfAborted();
  }
}

/**
 * Draws as often as it takes until nothing waits any more.
 * @throws what drawing throws; the reason of the signal when it comes first; WORKFLOW_RENDER_FAILED after ten seconds
 */
export async function drawn<T>(draw: () => T, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return draw();
    } catch (error) {
      if (!(error instanceof FrameWaits)) throw error;
      await error.settledUnless(signal);
      if (error.tooLong !== null) throw error.tooLong;
    }
  }
}
