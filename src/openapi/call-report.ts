import { channel } from "node:diagnostics_channel";
import { serviceMetrics } from "../metrics/catalog.js";

/** One finished call of a tool. */
export interface OpenApiCall {
  /** Of the document; made of method and path where it has none. */
  operationId: string;
  /** Upper case. */
  method: string;
  /** Template: `/pets/{petId}`. */
  path: string;
  /** Until the answer was there, or was given up, milliseconds. */
  durationMs: number;
  /** `error` for an HTTP failure, a transport failure and an abort alike. */
  status: "success" | "error";
  /** Absent when no response arrived. */
  httpStatus?: number;
}

/**
 * Name of the `node:diagnostics_channel` on which every finished call is
 * published as an {@link OpenApiCall}, of all tools. Subscribers run
 * in the async context of the call.
 */
export const OPENAPI_CALL_CHANNEL = "treadle:openapi:call";

/** Counts a finished call, and tells the tool's own observer and the channel about it. */
export function reportCall(call: OpenApiCall, onCall: ((call: OpenApiCall) => void) | undefined): void {
  serviceMetrics.openapiToolCalls.add();
  if (call.status === "error") serviceMetrics.openapiToolCallErrors.add();
  serviceMetrics.openapiToolDurationMs.observe(call.durationMs);
  channel(OPENAPI_CALL_CHANNEL).publish(call);
  try {
    onCall?.(call);
  } catch {
    // The call is over; a broken metric must not change how it ended.
  }
}
