import type { ReceivedResponse } from "./send.js";
import type { Redactor } from "../util/redactor.js";
import type { Credentials } from "./credentials.js";
import { isJson } from "./request-body.js";

/**
 * The result of a tool, for the model to read, when the API answered and the
 * answer is not a success. Transport failures are thrown instead.
 */
export interface OpenApiToolFailure {
  /** Tells it from a response body. */
  error: true;
  /** The same for every failure; `httpStatus` is the API's. */
  status: "failed";
  /** `HTTP 404 Not Found: …`, with the start of the response body. */
  message: string;
  /** Of the answer. */
  httpStatus: number;
}

/** Longest part of an error response that a model is shown, in characters. */
const LONGEST_EXCERPT = 2_000;

/**
 * The result of a call: the parsed body where it is JSON, its text otherwise,
 * null where there is none; or the failure.
 */
export function resultOf(
  response: ReceivedResponse,
  { inErrors, inAnswers, maxBytes }: Pick<Credentials, "inErrors" | "inAnswers"> & { maxBytes: number },
): unknown {
  const { ok, status, statusText, text, contentType } = response;
  const line = `HTTP ${status} ${statusText}`.trimEnd();
  if (text === undefined) return failure(status, `${line}: the response is larger than ${maxBytes} bytes`);
  if (!ok) {
    const excerpt = withoutKeys(text.trim(), { isJson: isJson(contentType), redactor: inErrors }).slice(
      0,
      LONGEST_EXCERPT,
    );
    return failure(status, excerpt === "" ? line : `${line}: ${excerpt}`);
  }
  if (text === "") return null;
  // An API may repeat what it was sent.
  if (!isJson(contentType)) return inAnswers.text(text);
  try {
    return inAnswers.value(JSON.parse(text) as unknown);
  } catch {
    return inAnswers.text(text);
  }
}

/** A value that is JSON is cleaned as it reads, not as it is spelled. */
function withoutKeys(text: string, { isJson, redactor }: { isJson: boolean; redactor: Redactor }): string {
  const clean = redactor.text(text);
  if (!isJson) return clean;
  try {
    const value: unknown = JSON.parse(text);
    const cleanValue = redactor.value(value);
    return JSON.stringify(cleanValue) === JSON.stringify(value) ? clean : JSON.stringify(cleanValue);
  } catch {
    return clean;
  }
}

/** Whether the result of a tool is a failure of the API. */
export function isOpenApiToolFailure(result: unknown): result is OpenApiToolFailure {
  if (typeof result !== "object" || result === null) return false;
  const { error, status, httpStatus } = result as Record<string, unknown>;
  return error === true && status === "failed" && typeof httpStatus === "number";
}

function failure(httpStatus: number, message: string): OpenApiToolFailure {
  return { error: true, status: "failed", message, httpStatus };
}
