import type { Context } from "hono";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal } from "../../model/run.js";
import { clientError, type FeedItem, requireRun, type RunFeeds } from "../../operations/index.js";
import type { ServiceDb } from "../../store/index.js";
import { shorten } from "../../util/bounded-text.js";
import { countStream } from "./count-stream.js";
import { refuseUnknownSeq } from "./known-seq.js";
import { loadStreaming } from "./load-hono.js";
import { eventsQuery, readQuery } from "./run-requests.js";

/** Sent this often while nothing happens, so that nothing in between takes the connection for dead. */
const KEEP_ALIVE_MS = 10_000;

export interface EventStreamOptions {
  /** Of the host. */
  feeds: RunFeeds;
  db: ServiceDb;
  runId: string;
  /** Ends the stream: the host closes. */
  signal: AbortSignal;
  /** Notified of what broke a stream off: its answer had begun, and cannot say it. */
  onFailure(error: Error): void;
}

/**
 * A run's events as server-sent events, each under its number in the log, from
 * after `Last-Event-ID` or `?afterSeq=` on. Ends with the event `end` once the run has.
 * @throws RUN_NOT_FOUND, INVALID_INPUT
 */
export async function eventStream(c: Context, options: EventStreamOptions): Promise<Response> {
  readQuery(c, eventsQuery());
  return eventSource(c, { ...options, name: "events" }, async function* ({ afterSeq, signal }) {
    const { feeds, db, runId } = options;
    for await (const items of feeds.read(db, { runId, afterSeq, signal })) yield items.map(toFrame).join("");
  });
}

/** Where a client has come to, and when it has gone. */
export interface Resumption {
  afterSeq: number;
  signal: AbortSignal;
}

/**
 * Frames about a run until it has ended, then the event `end`. `name` is what metrics call it.
 * @throws RUN_NOT_FOUND, INVALID_INPUT
 */
export async function eventSource(
  c: Context,
  { name, db, runId, signal, onFailure }: EventStreamOptions & { name: string },
  frames: (from: Resumption) => AsyncIterable<string>,
): Promise<Response> {
  const afterSeq = resumePoint(c);
  const run = await requireRun(db.store, runId);
  refuseUnknownSeq(afterSeq, run.nextSeq - 1);
  // A browser reconnects until an answer says that nothing will come any more.
  const isReconnect = c.req.header("last-event-id") !== undefined;
  if (isReconnect && isTerminal(run.status) && afterSeq === run.nextSeq - 1) return c.body(null, 204);
  // A HEAD has no body, so no client would read or end the stream.
  if (c.req.method === "HEAD") return c.body(null, 200, { "Content-Type": "text/event-stream" });
  const stop = new AbortController();
  const end = () => stop.abort();
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  const response = loadStreaming().streamSSE(c, async (stream) => {
    stream.onAbort(end);
    // The host has closed already: no code would end the timer.
    if (stop.signal.aborted) return;
    const ended = countStream(name);
    const keepAlive = setInterval(() => void stream.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
    // A client that has never read holds the frame before: it is not waited for.
    stop.signal.addEventListener("abort", () => clearInterval(keepAlive), { once: true });
    try {
      await stream.write("retry: 1000\n\n");
      for await (const text of frames({ afterSeq, signal: stop.signal })) await stream.write(text);
      if (stop.signal.aborted) return;
      const { status, nextRunId, nextSeq } = await requireRun(db.store, runId);
      const data = JSON.stringify({ runId, status, nextRunId });
      // The number of the run's last event, which may not have been among the frames.
      const id = isTerminal(status) ? { id: String(nextSeq - 1) } : {};
      await stream.writeSSE({ ...id, event: "end", data });
    } catch (error) {
      // The client comes back for the rest, and is refused then while it is still wrong.
      if (stop.signal.aborted) return;
      onFailure(ensureError(error));
      await stream.writeSSE({ event: "stream.error", data: JSON.stringify({ error: clientError(error) }) });
    } finally {
      ended();
      clearInterval(keepAlive);
      signal.removeEventListener("abort", end);
    }
  });
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** JSON has no line breaks of its own. */
function toFrame({ seq, type, json }: FeedItem): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${json}\n\n`;
}

/** The header wins: a client sends it when it takes a stream up that had begun with the query. */
function resumePoint(c: Context): number {
  const [name, text] =
    c.req.header("last-event-id") === undefined
      ? ["afterSeq", c.req.query("afterSeq")]
      : ["Last-Event-ID", c.req.header("last-event-id")];
  if (text === undefined || text === "") return -1;
  if (/^(?:-1|\d{1,15})$/.test(text)) return Number(text);
  throw new ServiceError(
    "INVALID_INPUT",
    `${name}: expected the number of an event, or -1; received ${JSON.stringify(shorten(text, 80))}.`,
  );
}
