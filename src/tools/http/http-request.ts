import { ServiceError } from "../../errors/service-error.js";
import type { RefusedAddresses } from "../../network/refused-addresses.js";
import { isTransportHeader } from "../../network/transport-headers.js";
import type { HttpToolAuth, HttpToolInput } from "./http-input.js";

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: BodyInit | undefined;
  /** Addresses that may not be reached, neither by this request nor by a redirect of it. */
  refused: RefusedAddresses;
}

/** The operator's settings for every request. */
export interface HttpDefaults {
  headers: Readonly<Record<string, string>>;
  /** Origins that get them; undefined for all. */
  origins: ReadonlySet<string> | undefined;
  refused: RefusedAddresses;
}

type BodyInit = NonNullable<RequestInit["body"]>;

/**
 * The request that an input describes. Nothing of the input's values goes into an
 * error: any of them may be a secret.
 * @throws INVALID_INPUT for an address or a header that cannot be sent
 */
export function buildHttpRequest(input: HttpToolInput, defaults: HttpDefaults): HttpRequest {
  const { refused } = defaults;
  const method = input.method ?? "GET";
  const url = parseAddress(input.url);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers();
  // The model names the address, so it must not choose who gets what the operator has set.
  if (defaults.origins?.has(url.origin) ?? true) {
    for (const [name, value] of Object.entries(defaults.headers)) setHeader(headers, name, value);
  }
  for (const [name, value] of Object.entries(input.headers ?? {})) setHeader(headers, name, value);
  if (input.auth !== undefined) setHeader(headers, ...authHeader(input.auth));
  const bodyless = method === "GET" || method === "HEAD" || input.body === undefined || input.body === null;
  if (bodyless) return { url, method, headers, body: undefined, refused };
  if (isSendable(input.body)) return { url, method, headers, body: input.body, refused };
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return { url, method, headers, body: JSON.stringify(input.body), refused };
}

/** Address without the parts that may hold secrets: query, fragment. */
export function shownAddress(url: URL): string {
  return url.origin + url.pathname;
}

function parseAddress(address: string): URL {
  if (!URL.canParse(address)) throw invalid("url", "must be an absolute address");
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw invalid("url", "must be http or https");
  if (url.username !== "" || url.password !== "") {
    throw invalid("url", "must not hold a user name or password: pass them as auth");
  }
  return url;
}

function authHeader(auth: HttpToolAuth): [name: string, value: string] {
  switch (auth.type) {
    case "bearer":
      return ["authorization", `Bearer ${auth.token}`];
    case "basic":
      return [
        "authorization",
        `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`,
      ];
    case "header":
      return [auth.name, auth.value];
  }
}

function setHeader(headers: Headers, name: string, value: string): void {
  if (isTransportHeader(name)) throw invalid("headers", `header "${name}" is set by the tool itself`);
  try {
    headers.set(name, value);
  } catch {
    // The platform's own message quotes the value.
    throw invalid("headers", `header "${name}" has a name or value that cannot be sent`);
  }
}

function isSendable(body: unknown): body is BodyInit {
  return (
    typeof body === "string" ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body)
  );
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("INVALID_INPUT", `Input of tool http is not valid: ${path}: ${message}.`, {
    details: { issues: [{ path, message }] },
  });
}
