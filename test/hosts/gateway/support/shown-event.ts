import type { RunEvent } from "../../../../src/index.js";

/** An event as clients get it: an owner is named after the machine, which clients must not learn. */
export function shownEvent(event: RunEvent): RunEvent {
  return event.type === "RunStarted" ? { ...event, ownerId: "(hidden)" } : event;
}
