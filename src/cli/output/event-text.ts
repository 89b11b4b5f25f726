import { hasTaskPlace } from "../../model/address.js";
import type { RunEvent } from "../../model/events.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import { formatDuration } from "../../util/duration.js";
import { serializedErrorLine, stackLines } from "./thrown-text.js";
import { untilText } from "./times.js";
import { taskName } from "./task-name.js";
import { visibleLine } from "./visible-text.js";

/** One event on one line without its time: what happened, to which task. */
export function eventText(event: RunEvent): string {
  const facts = factsOf(event);
  return visibleLine(`${event.type}${addressOf(event)}${facts === "" ? "" : `  ${facts}`}`);
}

/** ` build`, ` build #2` for an iteration. */
function addressOf(event: RunEvent): string {
  if (!("nodeId" in event) || event.nodeId === undefined) return "";
  return ` ${hasTaskPlace(event) ? taskName(event) : event.nodeId}`;
}

/** Members that the line already shows, or that readers do not need. */
const SHOWN = new Set(["type", "runId", "timestampMs", "nodeId", "iteration", "ownerId"]);

function factsOf(event: RunEvent): string {
  switch (event.type) {
    case "NodeOutput":
      return event.text.trimEnd();
    case "TimerFired":
      return `after ${formatDuration(event.delayMs)}`;
    case "NodeRetrying":
      return `attempt ${event.attempt + 1} ${untilText(event.retryAtMs, event.timestampMs)}`;
    case "NodeWaitingTimer":
    case "TimerCreated":
      return untilText(event.firesAtMs, event.timestampMs);
    default:
      return Object.entries(event)
        .flatMap(([name, value]) => factText(name, value))
        .join(" ");
  }
}

function factText(name: string, value: unknown): string[] {
  if (SHOWN.has(name) || value === undefined || value === null) return [];
  if (name === "error") {
    const error = value as SerializedError;
    // A line per event: the stack stands on it.
    return [serializedErrorLine(error), ...stackLines(error)];
  }
  return [`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`];
}
