import type { RunEvent } from "../../../../src/index.js";

/** An event as clients get it: whoever drives a run is named after the machine, which is not theirs to know. */
export function shownEvent(event: RunEvent): RunEvent {
  return event.type === "RunStarted" ? { ...event, ownerId: "(hidden)" } : event;
}
