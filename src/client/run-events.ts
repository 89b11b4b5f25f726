import type { RunEvent } from "../model/events.js";
import { ClientError } from "./client-error.js";
import { END, type Followed } from "./follow.js";

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
   * Notified of events that cannot be replayed; the iteration continues after them.
   * @default the iteration fails with CLIENT_EVENT_GAP
   */
  onGap?(gap: EventGap): void;
}

/** The events of a run in order, each once. */
export function runEvents(
  runId: string,
  { afterSeq = -1, onGap }: RunEventsOptions,
): Followed<SequencedEvent> {
  let lastSeq = afterSeq;
  return {
    method: "streamRunEvents",
    params: () => ({ runId, afterSeq: lastSeq }),
    read({ event, payload, seq }) {
      if (event === "run.end") return END;
      if (event === "run.gap") {
        const gap = payload as EventGap;
        lastSeq = Math.max(lastSeq, gap.toSeq);
        if (onGap === undefined) throw gapError(runId, gap);
        onGap(gap);
        return [];
      }
      const received = (payload as { event?: RunEvent }).event;
      if (event !== "run.event" || received === undefined || seq === undefined || seq <= lastSeq) return [];
      lastSeq = seq;
      return [{ seq, event: received }];
    },
  };
}

function gapError(runId: string, { fromSeq, toSeq }: EventGap): ClientError {
  return new ClientError({
    code: "CLIENT_EVENT_GAP",
    message: `The gateway can no longer replay the events ${fromSeq} to ${toSeq} of run ${runId}. Pass \`onGap\` to continue after them.`,
    details: { runId, fromSeq, toSeq },
  });
}
