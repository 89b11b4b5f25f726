import type { z } from "zod";
import { agentEvents } from "./events/agent-events.js";
import { nodeEvents } from "./events/node-events.js";
import { partEvents } from "./events/part-events.js";
import { runEvents } from "./events/run-events.js";
import { waitEvents } from "./events/wait-events.js";

const families = () =>
  [...runEvents(), ...nodeEvents(), ...waitEvents(), ...agentEvents(), ...partEvents()] as const;

type Family = ReturnType<typeof families>[number];

/** Everything a run says about itself. Every event has `type`, `runId`, `timestampMs`. */
export type RunEvent = z.infer<Family>;
/** The names that `type` of an event may have. */
export type RunEventType = RunEvent["type"];

/** Made for the first one who reads events: a process that only writes them has no need of schemas. */
const made: { schemas?: ReadonlyMap<string, Family> } = {};

function schemaOf(type: string): Family | undefined {
  made.schemas ??= new Map(families().map((family) => [family.shape.type.value, family]));
  return made.schemas.get(type);
}

/** The reason why a value is not the event that its type names; undefined when it is. */
export function eventMismatch(event: { type: string }): EventMismatch | undefined {
  const schema = schemaOf(event.type);
  if (schema === undefined) return { member: "type", problem: "names an unknown event" };
  const parsed = schema.safeParse(event);
  if (parsed.success) return undefined;
  const { path = [], message = "" } = parsed.error.issues[0] ?? {};
  const problem = `does not hold what the event ${event.type} has: ${path.join(".")}: ${message}`;
  return { member: String(path[0]), problem };
}

export interface EventMismatch {
  member: string;
  problem: string;
}

/** An event without the fields the commit adds. */
export type EventBody = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, "runId" | "timestampMs">
    : never
  : never;

/** An event as the log keeps it. `seq` counts from 0 per run, without gaps. */
export interface StoredEvent {
  /** Its number in the log of its run, from 0. */
  seq: number;
  /** The event. */
  event: RunEvent;
}

/** All event type names, for filters. */
export function runEventTypes(): RunEventType[] {
  return families().map((family) => family.shape.type.value);
}
