import type { RunEvent } from "../model/events.js";
import { ClientError } from "./client-error.js";
import type { SharedSocket, Subscription } from "./shared-socket.js";

/** One event of a run; `seq` counts from 0 per run, without gaps. */
export interface SequencedEvent {
  seq: number;
  event: RunEvent;
}

/** Events that the gateway can no longer replay. */
export interface EventGap {
  /** The first that is missing. */
  fromSeq: number;
  /** The last that is missing. */
  toSeq: number;
  /** The run as it stands, as `getRun` gives it. */
  snapshot: unknown;
}

/** Where to begin, and when to stop. */
export interface RunEventsOptions {
  /** Only events with a greater `seq`: that of the last one that was seen. @default -1: from the first */
  afterSeq?: number;
  /** Ends the iteration, without an error. */
  signal?: AbortSignal;
  /**
   * Told of events that cannot be replayed; the iteration goes on after them.
   * @default the iteration fails with CLIENT_EVENT_GAP
   */
  onGap?(gap: EventGap): void;
}

/** Events that wait for a slow reader before the gateway is told to stop. */
const LARGEST_BUFFER = 5_000;

/**
 * The events of a run in order, each once, until it has ended; through any number of lost connections. A reader
 * that is slow holds up the gateway, not its own memory.
 */
export async function* runEvents(
  connection: SharedSocket,
  runId: string,
  { afterSeq = -1, signal, onGap }: RunEventsOptions,
): AsyncGenerator<SequencedEvent, void, void> {
  if (signal?.aborted) return;
  const buffer: SequencedEvent[] = [];
  let lastSeq = afterSeq;
  let isOver = false;
  let failure: unknown;
  let leave: (() => void) | undefined;
  let wake = () => {};
  const end = (error?: unknown) => {
    isOver = true;
    failure ??= error;
    leave?.();
    leave = undefined;
    wake();
  };
  const tell = (listener: (gap: EventGap) => void, gap: EventGap) => {
    try {
      listener(gap);
    } catch (error) {
      end(error);
    }
  };
  const subscription: Subscription = {
    method: "streamRunEvents",
    params: () => ({ runId, afterSeq: lastSeq }),
    onEvent({ event, payload, seq }) {
      if (event === "run.end") return end();
      if (event === "run.gap") {
        const gap = payload as EventGap;
        lastSeq = Math.max(lastSeq, gap.toSeq);
        return onGap === undefined ? end(gapError(runId, gap)) : tell(onGap, gap);
      }
      const received = (payload as { event?: RunEvent }).event;
      if (event !== "run.event" || received === undefined || seq === undefined || seq <= lastSeq) return;
      lastSeq = seq;
      buffer.push({ seq, event: received });
      wake();
      if (buffer.length < LARGEST_BUFFER) return;
      leave?.();
      leave = undefined;
    },
    onError: end,
  };
  const stop = () => end();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    while (!signal?.aborted) {
      const next = buffer.shift();
      if (next !== undefined) {
        yield next;
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
    signal?.removeEventListener("abort", stop);
    end();
  }
}

function gapError(runId: string, { fromSeq, toSeq }: EventGap): ClientError {
  return new ClientError({
    code: "CLIENT_EVENT_GAP",
    message: `The gateway can no longer replay the events ${fromSeq} to ${toSeq} of run ${runId}. Pass \`onGap\` to go on after them.`,
    details: { runId, fromSeq, toSeq },
  });
}
