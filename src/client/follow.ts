import type { EventFrame } from "./link.js";
import type { SharedSocket, Subscription } from "./shared-socket.js";

/** The stream has ended, and everything was received. */
export const END = Symbol("end");

/** A stream as its reader understands it. */
export interface Followed<T> {
  method: string;
  /** Of each request for it: where to continue. An error that it throws ends the stream. */
  params(): Record<string, unknown>;
  /** The items of a frame, none, or the end of the stream. An error that it throws ends the stream. */
  read(frame: EventFrame): readonly T[] | typeof END;
}

/** Items that wait for a slow reader before the client asks the gateway to stop. */
const LARGEST_BUFFER = 5_000;

/**
 * The items of a stream until its end, through any number of lost connections. A reader that is slow holds
 * up the gateway, not its own memory.
 */
export async function* follow<T>(
  connection: SharedSocket,
  followed: Followed<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  if (signal.aborted) return;
  const buffer: T[] = [];
  let isOver = false;
  let failure: unknown;
  let leave: (() => void) | undefined;
  let wake = () => {};
  const pause = () => {
    leave?.();
    leave = undefined;
  };
  const end = (error?: unknown) => {
    isOver = true;
    failure ??= error;
    pause();
    wake();
  };
  const subscription: Subscription = {
    method: followed.method,
    params: () => followed.params(),
    onEvent(frame) {
      try {
        const items = followed.read(frame);
        if (items === END) return end();
        buffer.push(...items);
      } catch (error) {
        return end(error);
      }
      wake();
      if (buffer.length >= LARGEST_BUFFER) pause();
    },
    onError: end,
  };
  const stop = () => end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      if (buffer.length > 0) {
        yield buffer.shift() as T;
        continue;
      }
      if (failure !== undefined) throw failure;
      if (isOver) return;
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // At the start, and after a slow reader has caught up.
      leave ??= connection.subscribe(subscription);
      await news;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    end();
  }
}
