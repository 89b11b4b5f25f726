import { ServiceError } from "../../errors/service-error.js";
import type { HttpToolAuth, HttpToolInput } from "./http-input.js";

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: BodyInit | undefined;
}

type BodyInit = NonNullable<RequestInit["body"]>;

/**
 * The request that an input describes. Nothing of the input's values goes into an
 * error: any of them may be a secret.
 * @throws ServiceError INVALID_INPUT for an address or a header that cannot be sent
 */
export function buildHttpRequest(
  input: HttpToolInput,
  defaultHeaders: Readonly<Record<string, string>>,
): HttpRequest {
  const method = input.method ?? "GET";
  const url = parseAddress(input.url);
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...defaultHeaders })) setHeader(headers, name, value);
  for (const [name, value] of Object.entries(input.headers ?? {})) setHeader(headers, name, value);
  if (input.auth !== undefined) setHeader(headers, ...authHeader(input.auth));
  const bodyless = method === "GET" || method === "HEAD" || input.body === undefined || input.body === null;
  if (bodyless) return { url, method, headers, body: undefined };
  if (isSendable(input.body)) return { url, method, headers, body: input.body };
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return { url, method, headers, body: JSON.stringify(input.body) };
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
