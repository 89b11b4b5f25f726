import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { traceHeaders } from "../tracing/tracer.js";
import { AddressRefused, guardedLookup } from "./guarded-lookup.js";
import { isOwnAddress, isOwnPort } from "./own-ports.js";
import { isRefusedHost, type RefusedAddresses } from "./refused-addresses.js";

export interface GuardedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: NonNullable<RequestInit["body"]> | undefined;
}

export interface SendLimits {
  readonly signal: AbortSignal;
  readonly refused: RefusedAddresses;
  /** Bytes of a packed body that may arrive. @default any number */
  readonly maxWireBytes?: number;
}

/** The answer; no redirect has been followed. */
export interface HttpAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Decompressed. Leaving its iteration, or `destroy`, ends the connection. */
  readonly body: Readable;
}

/**
 * Sends one request on a connection of its own to an address that was checked when the connection
 * was made. The platform's `fetch` has no place for such a check.
 * @throws AddressRefused, the signal's reason, or the system's error
 */
export async function sendGuarded(
  { url, method, headers, body }: GuardedRequest,
  { signal, refused, maxWireBytes = Number.POSITIVE_INFINITY }: SendLimits,
): Promise<HttpAnswer> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const guardsOwn = isOwnPort(port);
  if (isRefusedHost(url.hostname, refused) || (guardsOwn && isOwnAddress(url.hostname)))
    throw new AddressRefused(url.hostname);
  const sent = new Headers(headers);
  const bytes = await packed(body, sent);
  // Not every method gets its length from the platform, and a body without one is lost.
  if (bytes !== undefined) sent.set("content-length", String(bytes.length));
  for (const [name, value] of [...DEFAULTS, ...Object.entries(traceHeaders())])
    if (!sent.has(name)) sent.set(name, value);
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: Object.fromEntries(sent),
      signal,
      agent: false as const,
      lookup: guardedLookup(refused, { guardsOwn }),
    };
    let isAnswered = false;
    const call = request(url, options, (response) => {
      isAnswered = true;
      answerOf(response, maxWireBytes).then(resolve, reject);
    });
    // The body reports an answer that breaks off later.
    call.on("error", (error) => {
      if (!isAnswered) reject(signal.aborted ? signal.reason : error);
    });
    // Without an error: the server has changed to a protocol that it was not asked for.
    call.on("close", () => {
      if (!isAnswered) reject(new Error("the connection was closed without an answer"));
    });
    call.end(bytes);
  });
}

/** Not `deflate`: servers mean two formats by it. */
const DEFAULTS = [
  ["accept", "*/*"],
  ["accept-encoding", "gzip"],
  ["user-agent", "treadle"],
] as const;

/** The bytes of a body. The platform knows how each kind is written and what type it then has. */
async function packed(body: GuardedRequest["body"], headers: Headers): Promise<Buffer | undefined> {
  if (body === undefined || body === null) return undefined;
  const form = new Response(body);
  const type = form.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return Buffer.from(await form.arrayBuffer());
}

async function answerOf(response: IncomingMessage, maxWireBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = response;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const body = await decompressed(response, headers.get("content-encoding"), maxWireBytes);
  return { ok: status >= 200 && status < 300, status, statusText, headers, body };
}

async function decompressed(
  response: IncomingMessage,
  encoding: string | null,
  maxWireBytes: number,
): Promise<Readable> {
  const decoder = await decoderOf(encoding?.trim().toLowerCase());
  if (decoder === undefined) return response;
  // An error of the one breaks the other, in both directions.
  const { pipeline } = await import("node:stream");
  return pipeline(
    response,
    (chunks) => counted(chunks, maxWireBytes),
    decoder,
    () => {},
  );
}

/** More has arrived than the caller takes. */
class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

/** A packed stream can be endless and unpack to nothing, so what arrives is counted too. */
async function* counted(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) throw new AnswerTooLarge(`the answer is larger than ${limit} bytes`);
    yield chunk;
  }
}

async function decoderOf(encoding: string | undefined): Promise<Transform | undefined> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  // A server may send an empty or unfinished stream, as any other client accepts.
  const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(lenient);
    case "deflate":
      return createInflate(lenient);
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
