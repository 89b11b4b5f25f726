import { Unsendable } from "./call-failure.js";
import type { InputParameter } from "./input-schema.js";
import type { OperationPlan } from "./operation-plan.js";
import type { ResolvedOptions } from "./options.js";
import { type QueryPair, serializeHeader, serializePath, serializeQuery } from "./serialize.js";

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string;
}

/**
 * The request of one call. `input` has passed the tool's input schema.
 *
 * Invariants, whatever the input holds: the path has the segments of the
 * template, the origin is the server's, and the operator's headers and key
 * appear once, with the operator's values.
 *
 * Throws Unsendable when the input would break one of them.
 */
export function buildRequest(
  plan: OperationPlan,
  { input, server, options }: { input: Record<string, unknown>; server: URL; options: ResolvedOptions },
): OutgoingRequest {
  const { method, path } = plan.operation;
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  const pairs: QueryPair[] = [];
  let target = path;
  for (const parameter of plan.parameters) {
    const value = Object.hasOwn(input, parameter.key) ? input[parameter.key] : undefined;
    switch (parameter.in) {
      case "path":
        // Values come percent-encoded, so none of them looks like another placeholder.
        target = target.replaceAll(`{${parameter.name}}`, () => pathText(parameter, value));
        break;
      case "query":
        pairs.push(...serializeQuery(parameter, value));
        break;
      default:
        setHeader(headers, parameter, value);
    }
  }
  const { body } = plan;
  const payload = body === undefined ? undefined : input[body.key];
  if (body !== undefined && payload !== undefined) headers.set("content-type", body.mediaType);
  for (const [name, value] of options.headers) headers.set(name, value);
  return {
    method,
    url: joinUrl(server, target, withQueryKey(pairs, options)),
    headers,
    ...(payload !== undefined && { body: JSON.stringify(payload) }),
  };
}

function pathText(parameter: InputParameter, value: unknown): string {
  const text = serializePath(parameter, value ?? "");
  // `/pets/` is another resource than `/pets/{petId}`.
  if (text === "") throw new Unsendable(`the path parameter "${parameter.key}" is empty`);
  return text;
}

/** A key in the query cannot be given a second time by an exploded object. */
function withQueryKey(pairs: QueryPair[], { queryKey }: ResolvedOptions): string[] {
  if (queryKey === undefined) return pairs.map(({ text }) => text);
  return [
    ...pairs.filter(({ name }) => name !== queryKey.name).map(({ text }) => text),
    `${encodeURIComponent(queryKey.name)}=${encodeURIComponent(queryKey.value)}`,
  ];
}

function joinUrl(server: URL, path: string, query: string[]): URL {
  // Some documents put a fixed query into the template.
  const [, pathname = "", inTemplate] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  if (pathname.split("/").some(isDotSegment)) {
    throw new Unsendable('the path would hold a "." or ".." segment');
  }
  const base = server.pathname.replace(/\/+$/, "");
  const url = new URL(server.origin);
  url.pathname = `${base}${pathname.startsWith("/") ? "" : "/"}${pathname}`;
  url.search = [server.search.slice(1), inTemplate, ...query].filter(Boolean).join("&");
  return url;
}

/** URLs read an encoded dot like a plain one. */
function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function setHeader(headers: Headers, parameter: InputParameter, value: unknown): void {
  if (value === undefined || value === null) return;
  try {
    headers.set(parameter.name, serializeHeader(parameter, value));
  } catch {
    throw new Unsendable(`the header "${parameter.name}" cannot carry this value`);
  }
}
