import { ServiceError } from "../../errors/service-error.js";
import { AddressRefused } from "../../network/guarded-lookup.js";
import { type HttpAnswer, sendGuarded } from "../../network/send-guarded.js";
import { type HttpRequest, shownAddress } from "./http-request.js";

const MOST_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that may follow a redirect to another origin; everything else could be a credential. */
const HARMLESS_HEADERS = ["accept", "accept-language", "content-type"];

/**
 * Sends a request and follows redirects, without carrying headers of the caller to
 * another origin: the platform's own following strips `Authorization` only.
 * @throws TOOL_HTTP_FAILED when no answer arrives
 */
export async function sendRequest(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  let current = request;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const response = await sendOnce(current, signal);
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    response.body.destroy();
    current = redirected(current, response.status, location);
  }
  throw httpFailed(request, `was redirected more than ${MOST_REDIRECTS} times`);
}

/** @throws TOOL_HTTP_FAILED, or the signal's reason */
export async function orHttpFailed<T>(
  request: HttpRequest,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (ServiceError.is(error)) throw error;
    if (error instanceof AddressRefused) throw addressRefused(request, error);
    throw httpFailed(request, `got no answer (${reasonOf(error)})`);
  }
}

function sendOnce(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  return orHttpFailed(request, signal, () => sendGuarded(request, { signal, refused: request.refused }));
}

function redirected(request: HttpRequest, status: number, location: string): HttpRequest {
  const url = URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw httpFailed(request, "was redirected to an address that cannot be followed");
  }
  const headers =
    url.origin === request.url.origin ? new Headers(request.headers) : harmless(request.headers);
  const becomesGet =
    request.method !== "HEAD" &&
    (status === 303 || ((status === 301 || status === 302) && request.method === "POST"));
  if (!becomesGet) return { ...request, url, headers };
  headers.delete("content-type");
  return { ...request, url, method: "GET", headers, body: undefined };
}

function harmless(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of HARMLESS_HEADERS) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

function httpFailed({ url, method }: HttpRequest, problem: string): ServiceError {
  const address = shownAddress(url);
  return new ServiceError("TOOL_HTTP_FAILED", `${method} ${address} ${problem}.`, {
    details: { method, url: address },
  });
}

function addressRefused({ url, method }: HttpRequest, { host }: AddressRefused): ServiceError {
  const address = shownAddress(url);
  return new ServiceError(
    "TOOL_ADDRESS_REFUSED",
    `${method} ${address} was not sent: ${host} is an address that this tool must not reach.`,
    { details: { method, url: address, host } },
  );
}

/** The system's code, such as ECONNREFUSED: messages of the platform may quote addresses and headers. */
function reasonOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  if (typeof cause?.code === "string") return cause.code;
  return typeof code === "string" ? code : "the connection failed";
}
