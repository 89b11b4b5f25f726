import type { z } from "zod";
import type { RunFeeds, WorkspaceFeed } from "../../../operations/index.js";
import type { Caller, GatewayScope } from "../caller.js";
import type { GatewayParts } from "../gateway-parts.js";

export interface StreamContext {
  readonly parts: GatewayParts;
  readonly feeds: RunFeeds;
  readonly changes: WorkspaceFeed;
  readonly caller: Caller;
  /** Fires when the client wants no more of it, has gone, or the gateway closes. */
  readonly signal: AbortSignal;
}

/** One event of a stream. */
export interface StreamItem {
  event: string;
  /** Counts within the stream. */
  seq: number;
  /** Members of the payload beside `streamId`, as JSON of an object. */
  json: string;
}

export interface OpenedStream {
  /** The answer to the request beside `streamId`. */
  answer: Record<string, unknown>;
  /** Made as fast as the client takes them. An error that it throws ends the stream with `stream.error`. */
  items: AsyncIterable<StreamItem>;
}

/** A stream that a WebSocket opens by name. */
export interface StreamMethod<P = never> {
  readonly scope: GatewayScope;
  readonly params: z.ZodType<P>;
  /** @throws what the request is refused with */
  open(params: P, ctx: StreamContext): Promise<OpenedStream>;
}

/** Keeps the type of the params together. */
export function stream<P>(definition: StreamMethod<P>): StreamMethod {
  return definition as StreamMethod<unknown> as StreamMethod;
}
