import type { Context } from "hono";
import { taskOutput, type TaskText } from "../../operations/index.js";
import { eventSource, type EventStreamOptions } from "./event-stream.js";
import { outputQuery, readQuery } from "./run-requests.js";

/**
 * Output of a run's tasks and agents as server-sent events; `?nodeId=` for one node. Kept text comes under its number, and is
 * resumed as the events are.
 * @throws RUN_NOT_FOUND, INVALID_INPUT
 */
export async function outputStream(c: Context, options: EventStreamOptions): Promise<Response> {
  const { nodeId } = readQuery(c, outputQuery());
  return eventSource(c, { ...options, name: "output" }, async function* ({ afterSeq, signal }) {
    const { feeds, db, runId } = options;
    for await (const text of taskOutput(feeds, db, { runId, nodeId, afterSeq, signal })) yield toFrame(text);
  });
}

function toFrame(text: TaskText): string {
  if (text.kind === "delta") {
    return `event: task.delta\ndata: ${JSON.stringify({ ...text.delta, lossy: true })}\n\n`;
  }
  const { type: _type, ...output } = text.output;
  return `id: ${text.seq}\nevent: task.output\ndata: ${JSON.stringify(output)}\n\n`;
}
