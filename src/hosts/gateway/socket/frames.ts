import { z } from "zod";
import { ServiceError } from "../../../errors/service-error.js";
import { clientError, type SentError } from "../../../operations/index.js";
import { isTooManyMembers } from "../../../util/json-members.js";
import { checkJson, refuseTooManyMembers } from "../../http/read-json.js";

/** A frame of a client. */
export interface RequestFrame {
  type: "req";
  /** Chosen by the client; the response carries it. */
  id: string;
  method: string;
  params?: unknown;
}

const requestFrame = z.strictObject({
  type: z.literal("req"),
  id: z.string().min(1).max(128),
  method: z.string().min(1).max(256),
  params: z.unknown().optional(),
});

/** @throws INVALID_JSON, INVALID_INPUT, PAYLOAD_TOO_LARGE */
export function readFrame(text: string): RequestFrame {
  refuseTooManyMembers(text, "frame");
  return checkJson(parse(text), requestFrame) as RequestFrame;
}

/** The id of a frame that is no request, so that its sender can tell which one it was. */
export function idOf(text: string): string | null {
  if (isTooManyMembers(text)) return null;
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === "string" && id.length <= 128 ? id : null;
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("INVALID_JSON", "The frame is not JSON.");
  }
}

export function resultFrame(id: string, payload: unknown): string {
  return JSON.stringify({ type: "res", id, ok: true, payload: payload ?? null });
}

/** @param id null: of a frame without a usable one */
export function errorFrame(id: string | null, thrown: unknown): string {
  return JSON.stringify({ type: "res", id, ok: false, error: errorOf(thrown) });
}

/** An error as clients get it; `requiredScope` is what the caller lacks. */
export function errorOf(thrown: unknown): SentError & { requiredScope?: string } {
  const error = clientError(thrown);
  const scope = error.details?.["requiredScope"];
  return { ...error, ...(typeof scope === "string" && { requiredScope: scope }) };
}

export interface EventHead {
  event: string;
  /** Counts within the stream. */
  seq: number;
}

/** @param payload JSON */
export function eventFrame({ event, seq }: EventHead, payload: string): string {
  return `{"type":"event","event":${JSON.stringify(event)},"seq":${seq},"payload":${payload}}`;
}
