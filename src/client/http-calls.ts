import { systemClock } from "../util/clock.js";
import { ClientError, receivedError } from "./client-error.js";
import type { Closing } from "./closing.js";
import { sentParams } from "./sent-params.js";

/** Credentials, or where they come from: asked for at every call, so that they may be renewed. */
export type TokenSource = string | (() => string | undefined | Promise<string | undefined>);

/** Of one call. */
export interface CallOptions {
  /** Gives the call up; what the gateway has begun continues. */
  signal?: AbortSignal;
  /** Milliseconds until the call fails with CLIENT_TIMEOUT. @default that of the client */
  timeoutMs?: number;
}

export interface HttpCallsOptions {
  base: string;
  token: TokenSource | undefined;
  fetch: typeof fetch;
  timeoutMs: number;
  /** Ends what is under way. */
  closing: Closing;
}

/** A method of the gateway by its name. */
export type Call = (method: string, params: unknown, options?: CallOptions) => Promise<unknown>;

/** Methods that change nothing: asking twice does no harm. */
const READS = /^(?:get|list|find|inspect|explain|diff|health)/;

/** Calls over HTTP: one request each, and a second one for reads whose connection turned out to be a dead one. */
export function createHttpCalls(options: HttpCallsOptions): Call {
  return async (method, params, callOptions = {}) => {
    try {
      return await send(options, { method, params, ...callOptions });
    } catch (error) {
      if (!READS.test(method) || !ClientError.is(error, "CLIENT_CONNECTION_FAILED")) throw error;
      return send(options, { method, params, ...callOptions });
    }
  };
}

interface SentCall extends CallOptions {
  method: string;
  params: unknown;
}

async function send(
  { base, token, fetch, closing, ...defaults }: HttpCallsOptions,
  { method, params, signal, timeoutMs = defaults.timeoutMs }: SentCall,
): Promise<unknown> {
  const body = sentParams(method, params);
  const bound = boundSignal(signal, closing, timeoutMs);
  try {
    const credentials = await Promise.race([tokenOf(token), bound.ended]);
    const response = await fetch(`${base}/v1/rpc/${encodeURIComponent(method)}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(credentials !== undefined && { Authorization: `Bearer ${credentials}` }),
      },
      body,
      // The token is in the header; a proxy in front of the gateway may know its users by a cookie.
      credentials: "same-origin",
      redirect: "error",
      signal: bound.signal,
    });
    return await readAnswer(response, method);
  } catch (error) {
    if (ClientError.is(error)) throw error;
    if (closing.isClosed) throw closedError();
    if (bound.timedOut()) {
      throw new ClientError({
        code: "CLIENT_TIMEOUT",
        message: `${method} has not been answered within ${timeoutMs} ms. It may still be carried out.`,
        details: { method, timeoutMs },
      });
    }
    if (signal?.aborted) throw signal.reason;
    throw connectionFailed(base, error);
  } finally {
    bound.release();
  }
}

/** @throws CLIENT_TOKEN_FAILED */
export async function tokenOf(source: TokenSource | undefined): Promise<string | undefined> {
  try {
    return typeof source === "function" ? await source() : source;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError(
      { code: "CLIENT_TOKEN_FAILED", message: `The function that gives the token failed: ${why}` },
      { cause },
    );
  }
}

export function closedError(): ClientError {
  return new ClientError({ code: "CLIENT_CLOSED", message: "The client has been closed." });
}

function connectionFailed(base: string, cause?: unknown): ClientError {
  return new ClientError(
    {
      code: "CLIENT_CONNECTION_FAILED",
      message: `The gateway at ${base} cannot be reached. Check that the gateway runs, and the address that the client was given.`,
      details: { url: base },
    },
    cause === undefined ? undefined : { cause },
  );
}

async function readAnswer(response: Response, method: string): Promise<unknown> {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok && body !== undefined) return body.value;
  const error = receivedError((body?.value as { error?: unknown } | null | undefined)?.error);
  throw new ClientError(
    error ?? {
      code: "CLIENT_NOT_A_GATEWAY",
      message: `${method} was answered with HTTP ${response.status}, not by a gateway: check the address.`,
      details: { status: response.status },
    },
  );
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** One signal for the caller's, the end of the client and a time limit; `ended` rejects with it, `release` releases them. */
function boundSignal(signal: AbortSignal | undefined, closing: Closing, limitMs: number) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  const disarm = systemClock.setDelay(limitMs, () => {
    isLate = true;
    abort();
  });
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener("abort", reject, { once: true });
  });
  ended.catch(() => {});
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const leave = closing.onClose(abort);
  return {
    signal: controller.signal,
    ended,
    timedOut: () => isLate,
    release() {
      disarm();
      signal?.removeEventListener("abort", abort);
      leave();
    },
  };
}
