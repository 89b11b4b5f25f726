import type { StoredEvent } from "../../model/events.js";
import { HIDDEN } from "../remedies/client-error.js";

/** As clients see it: the process that drives a run is named after the machine and its processes, which is no business of theirs. */
export function shownEvent(event: StoredEvent["event"]): StoredEvent["event"] {
  return event.type === "RunStarted" ? { ...event, ownerId: HIDDEN } : event;
}
