import type { AgentCliEvent, TokenUsage } from "../../model/agent.js";
import { isRecord } from "../../util/is-record.js";
import { isNestedDeeper } from "../../util/nesting.js";
import { readUsage } from "./read-usage.js";

/** Passes an agent's events on and keeps what they tell about the call as a whole. */
export function watchEvents(pass: ((event: AgentCliEvent) => void) | undefined): {
  onEvent(event: AgentCliEvent): void;
  /** The session to resume and the tokens used, as far as the events named them. */
  reading(): { sessionId?: string; usage?: TokenUsage };
} {
  const reading: { sessionId?: string; usage?: TokenUsage } = {};
  return {
    onEvent(reported) {
      const event = readEvent(reported);
      if (event.type !== "action" && event.resume !== undefined) reading.sessionId = event.resume;
      if (event.type === "completed" && event.usage !== undefined) reading.usage = event.usage;
      pass?.(event);
    },
    reading: () => reading,
  };
}

/** Levels of objects and lists in one report. */
const DEEPEST = 200;

/**
 * An agent's report, as the log of a run takes it: an `AgentLike` can be foreign code. A report that is no
 * event, or no JSON, becomes a warning that says so: thrown at the agent it could end the process.
 */
function readEvent(reported: unknown): AgentCliEvent {
  const event = copied(reported);
  if (!isRecord(event)) return leftOut("It is no object, or none that can be kept as JSON.");
  const { type } = event;
  if (typeof type !== "string") return leftOut("Its type is no text.");
  if (type === "action" && !isRecord(event["action"])) return leftOut("It is of type action and has none.");
  for (const name of ["engine", "resume"]) if (typeof event[name] !== "string") delete event[name];
  const usage = readUsage(event["usage"]);
  delete event["usage"];
  return { ...event, ...(usage !== undefined && { usage }) } as AgentCliEvent;
}

/** By way of JSON, as it is kept: an agent may continue using the object. Undefined for what JSON does not hold. */
function copied(reported: unknown): unknown {
  try {
    return isNestedDeeper(reported, DEEPEST) ? undefined : JSON.parse(JSON.stringify(reported));
  } catch {
    return undefined;
  }
}

function leftOut(why: string): AgentCliEvent {
  const title = `Something that the agent reported is left out: it is none of its events. ${why}`;
  return {
    type: "action",
    engine: "unknown",
    phase: "completed",
    action: { id: "left-out", kind: "warning", title },
    level: "warning",
  };
}
