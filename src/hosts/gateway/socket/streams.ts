import { streamRunEvents } from "./run-events.js";
import type { StreamMethod } from "./stream-method.js";
import { streamTaskOutput } from "./task-output.js";
import { streamWorkspace } from "./workspace.js";

/** Streams that a WebSocket opens, by name; docs/gateway.md lists them. HTTP has none. */
export const STREAMS: Readonly<Record<string, StreamMethod>> = {
  streamRunEvents,
  streamTaskOutput,
  streamWorkspace,
};
