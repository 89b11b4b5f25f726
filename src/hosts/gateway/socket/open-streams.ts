import { z } from "zod";
import { ServiceError } from "../../../errors/service-error.js";
import { checkJson } from "../../http/read-json.js";
import { countStream } from "../../http/count-stream.js";
import { requireScope } from "../rpc/call-method.js";
import { errorOf, eventFrame } from "./frames.js";
import { openExtensionStream } from "./extension-stream.js";
import type { Outbox } from "./outbox.js";
import type { OpenedStream, StreamContext, StreamItem } from "./stream-method.js";
import { STREAMS } from "./streams.js";

/** Streams that one connection may have open. */
const MOST_STREAMS = 256;

const stopParams = z.strictObject({ streamId: z.string() });

export interface StreamRequest extends Omit<StreamContext, "signal"> {
  method: string;
  params: unknown;
}

/** The answer to a request for a stream, and its continuation. */
export interface StreamAnswer {
  answer: Record<string, unknown>;
  begin(): void;
}

/**
 * Opens or stops a stream; undefined for a method that is none of these.
 * @throws FORBIDDEN, INVALID_INPUT, CAPACITY_EXCEEDED, what the stream is refused with
 */
export async function openStream(
  streams: OpenStreams,
  request: StreamRequest,
): Promise<StreamAnswer | undefined> {
  const { method, params = {}, caller, parts } = request;
  if (method === "stopStream") return streams.stop(checkJson(params, stopParams, "params").streamId);
  const known = Object.hasOwn(STREAMS, method) ? STREAMS[method] : undefined;
  const extension = parts.extensions.streams.get(method);
  const scope = known?.scope ?? extension?.scope;
  if (scope === undefined) return undefined;
  requireScope(caller, scope, method);
  return streams.open(method, async (signal) => {
    const ctx = { ...request, signal };
    if (known !== undefined) return known.open(checkJson(params, known.params, "params"), ctx);
    return openExtensionStream(extension as NonNullable<typeof extension>, params, ctx);
  });
}

/** The streams of one connection. */
export class OpenStreams {
  readonly #outbox: Outbox;
  readonly #gone: AbortSignal;
  readonly #open = new Map<string, AbortController>();
  #opened = 0;

  constructor(outbox: Outbox, gone: AbortSignal) {
    this.#outbox = outbox;
    this.#gone = gone;
    gone.addEventListener("abort", () => {
      for (const stop of this.#open.values()) stop.abort();
    });
  }

  async open(method: string, start: (signal: AbortSignal) => Promise<OpenedStream>): Promise<StreamAnswer> {
    if (this.#open.size >= MOST_STREAMS) {
      throw new ServiceError(
        "CAPACITY_EXCEEDED",
        `The connection has ${MOST_STREAMS} streams open, as many as it may: end one of them, or open another connection.`,
        { details: { maxStreams: MOST_STREAMS } },
      );
    }
    this.#opened += 1;
    const streamId = `s${this.#opened}`;
    const stop = new AbortController();
    this.#open.set(streamId, stop);
    try {
      const { answer, items } = await start(stop.signal);
      if (this.#gone.aborted) stop.abort();
      return {
        answer: { streamId, ...answer },
        begin: () => {
          const ended = countStream(method);
          void this.#send(items, { streamId, signal: stop.signal }).finally(ended);
        },
      };
    } catch (error) {
      this.#open.delete(streamId);
      throw error;
    }
  }

  stop(streamId: string): StreamAnswer {
    const stop = this.#open.get(streamId);
    stop?.abort();
    this.#open.delete(streamId);
    return { answer: { streamId, stopped: stop !== undefined }, begin: () => {} };
  }

  /** Never rejects. Nothing more is sent once the stream is stopped. */
  async #send(
    items: AsyncIterable<StreamItem>,
    { streamId, signal }: { streamId: string; signal: AbortSignal },
  ): Promise<void> {
    let seq = 0;
    try {
      for await (const item of items) {
        if (signal.aborted) return;
        seq = item.seq;
        this.#outbox.send(eventFrame(item, withStreamId(streamId, item.json)));
        if (this.#outbox.isFull) await this.#outbox.room(signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const payload = JSON.stringify({ streamId, error: errorOf(error) });
      this.#outbox.send(eventFrame({ event: "stream.error", seq }, payload));
    } finally {
      this.#open.delete(streamId);
    }
  }
}

/** @param json of an object */
function withStreamId(streamId: string, json: string): string {
  return `{"streamId":"${streamId}"${json === "{}" ? "" : ","}${json.slice(1)}`;
}
