import { type HttpAnswer, sendGuarded } from "../network/send-guarded.js";
import type { OutgoingRequest } from "./build-request.js";
import { RedirectRefused } from "./redirect-refused.js";

export interface ReceivedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  /** The body; undefined when it is larger than the limit. */
  readonly text: string | undefined;
}

const MOST_REDIRECTS = 20;

/**
 * Sends a request, follows its redirects, and reads the response up to
 * `maxBytes`. Redirects are followed by hand because a client that follows them
 * by itself takes keys in headers along to other origins.
 */
export async function send(
  request: OutgoingRequest,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<ReceivedResponse> {
  let current = request;
  for (let hops = 0; ; hops += 1) {
    const { method, url, headers, body } = current;
    const response = await sendGuarded({ method, url, headers, body }, { signal, refused: "metadata" });
    const next = redirected(current, response);
    if (next === undefined) return receive(response, maxBytes);
    response.body.destroy();
    if (hops === MOST_REDIRECTS) throw new RedirectRefused(`it redirects more than ${MOST_REDIRECTS} times`);
    current = next;
  }
}

/** The request a redirect asks for; undefined when the response is no redirect. */
function redirected(request: OutgoingRequest, response: HttpAnswer): OutgoingRequest | undefined {
  const location = response.headers.get("location");
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return undefined;
  if (!URL.canParse(location, request.url.href)) {
    throw new RedirectRefused("it redirects to an address that is not a URL");
  }
  const url = new URL(location, request.url);
  if (!/^https?:$/.test(url.protocol)) {
    throw new RedirectRefused(`it redirects to the protocol ${url.protocol}`);
  }
  const { status } = response;
  const { method } = request;
  const becomesGet = status === 303 || ((status === 301 || status === 302) && method === "POST");
  // Another origin gets neither the operator's headers nor the model's.
  const headers = url.origin === request.url.origin ? new Headers(request.headers) : bareHeaders(request);
  if (becomesGet) {
    headers.delete("content-type");
    return { method: "GET", url, headers };
  }
  return { method, url, headers, ...(request.body !== undefined && { body: request.body }) };
}

function bareHeaders(request: OutgoingRequest): Headers {
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  const contentType = request.headers.get("content-type");
  if (contentType !== null && request.body !== undefined) headers.set("content-type", contentType);
  return headers;
}

async function receive(response: HttpAnswer, maxBytes: number): Promise<ReceivedResponse> {
  const { ok, status, statusText, headers } = response;
  return {
    ok,
    status,
    statusText,
    contentType: headers.get("content-type") ?? "",
    text: await readText(response, maxBytes),
  };
}

async function readText(response: HttpAnswer, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
