import { ServiceError } from "../errors/service-error.js";
import { monotonicMs } from "../util/monotonic-ms.js";

/** A component may take this long to load, milliseconds of the machine: nothing of the run moves meanwhile. */
const MOST_WAIT_MS = 10_000;

const awaited = new Set<FrameWaits>();

/** Whether a frame of this process is being waited for. */
export function isFrameAwaited(): boolean {
  return awaited.size > 0;
}

/** Inside a `<Suspense>` a component is being loaded, or waits with `use()`: the frame can only be drawn after it. */
export class FrameWaits extends ServiceError {
  readonly #waiters: Set<() => void>;
  readonly #sinceMs: number;

  constructor(waiters: Set<() => void>, sinceMs: number) {
    super("WORKFLOW_RENDER_FAILED", "A component inside <Suspense> is still waiting for what it loads.");
    this.#waiters = waiters;
    this.#sinceMs = sinceMs;
  }

  /**
   * Resolves when it is worth drawing the frame again.
   * @throws WORKFLOW_RENDER_FAILED after ten seconds
   */
  async settled(): Promise<void> {
    const leftMs = this.#sinceMs + MOST_WAIT_MS - monotonicMs();
    let wake = () => {};
    let giveUp: NodeJS.Timeout | undefined;
    awaited.add(this);
    try {
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        this.#waiters.add(wake);
        giveUp = setTimeout(() => reject(tooLong()), leftMs);
      });
    } finally {
      awaited.delete(this);
      clearTimeout(giveUp);
      this.#waiters.delete(wake);
    }
  }
}

/** Draws as often as it takes until nothing waits any more. @throws what drawing throws */
export async function drawn<T>(draw: () => T): Promise<T> {
  for (;;) {
    try {
      return draw();
    } catch (error) {
      if (!(error instanceof FrameWaits)) throw error;
      await error.settled();
    }
  }
}

function tooLong(): ServiceError {
  return new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    `A component inside <Suspense> has waited for ${MOST_WAIT_MS / 1_000} s: a frame waits for code that is loaded (React.lazy), not for work. Await that in a task's function.`,
  );
}
