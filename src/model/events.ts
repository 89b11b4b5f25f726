import { z } from "zod";
import { agentEvents } from "./events/agent-events.js";
import { nodeEvents } from "./events/node-events.js";
import { partEvents } from "./events/part-events.js";
import { runEvents } from "./events/run-events.js";
import { waitEvents } from "./events/wait-events.js";

const families = [...runEvents, ...nodeEvents, ...waitEvents, ...agentEvents, ...partEvents] as const;

/** Everything a run says about itself. Every event has `type`, `runId`, `timestampMs`. */
export const runEventSchema = z.discriminatedUnion("type", families);

export type RunEvent = z.infer<typeof runEventSchema>;
export type RunEventType = RunEvent["type"];

/** An event without the fields the commit adds. */
export type EventBody = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, "runId" | "timestampMs">
    : never
  : never;

/** An event as the log keeps it. `seq` counts from 0 per run, without gaps. */
export interface StoredEvent {
  seq: number;
  event: RunEvent;
}

/** All event type names, for filters. */
export const RUN_EVENT_TYPES: readonly RunEventType[] = families.map((family) => family.shape.type.value);
