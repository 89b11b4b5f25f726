import type { EventBody, RunEvent } from "../../../src/model/events.js";

/** Events of run `r1`, one millisecond apart unless they say otherwise. */
export function eventLog(startMs = 1_000_000) {
  let now = startMs;
  return {
    /** Lets time pass. */
    pass(ms: number): void {
      now += ms;
    },
    event(body: EventBody, runId = "r1"): RunEvent {
      now += 1;
      return { ...body, runId, timestampMs: now } as RunEvent;
    },
  };
}

export const at = (nodeId: string, iteration = 0) => ({ nodeId, iteration });
