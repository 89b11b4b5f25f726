import type { SpecOperation } from "./operations.js";
import { follow } from "./reference.js";
import { asRecord, asText } from "./spec.js";

/** The JSON body of an operation. */
export interface SpecBody {
  readonly required: boolean;
  /** The value of the `Content-Type` header. */
  readonly mediaType: string;
  readonly schema: unknown;
  readonly description?: string;
}

export type BodyOutcome =
  | { kind: "none" }
  | { kind: "json"; body: SpecBody }
  /** `reason` continues "The request body …"; `isNoted` = the model misses something by it. */
  | { kind: "unsupported"; reason: string; required: boolean; isNoted: boolean };

/** How an operation's request body can be sent. */
export function bodyOf(spec: unknown, { method, operation }: SpecOperation): BodyOutcome {
  const raw = operation["requestBody"];
  if (raw === undefined || raw === null) return { kind: "none" };
  const body = asRecord(follow(spec, raw));
  if (body === undefined) {
    return unsupported("is not described in this document and is not sent");
  }
  // HTTP gives a body of GET no meaning, and fetch refuses to send one.
  if (method === "GET") return { ...unsupported("of a GET request is not sent"), isNoted: false };
  const required = body["required"] === true;
  const content = asRecord(body["content"]) ?? {};
  const declared = Object.keys(content);
  const mediaType = declared.find((type) => essence(type) === "application/json") ?? declared.find(isJson);
  if (mediaType === undefined) {
    const reason =
      declared.length === 0
        ? "has no media type and is not sent"
        : `is ${declared.join(" or ")}, and only JSON bodies can be sent`;
    return unsupported(reason, required);
  }
  const description = asText(body["description"]);
  return {
    kind: "json",
    body: {
      required,
      mediaType: mediaType.includes("*") ? "application/json" : mediaType,
      schema: asRecord(follow(spec, content[mediaType]))?.["schema"] ?? {},
      ...(description !== undefined && { description }),
    },
  };
}

function unsupported(reason: string, required = false) {
  return { kind: "unsupported" as const, reason, required, isNoted: true };
}

/** Whether a media type, or a range of them with `*`, takes JSON. */
export function isJson(mediaType: string): boolean {
  const type = essence(mediaType);
  return /^(application|text)\/json$|\+json$/.test(type) || type === "*/*" || type === "application/*";
}

function essence(mediaType: string): string {
  return (mediaType.split(";")[0] as string).trim().toLowerCase();
}
