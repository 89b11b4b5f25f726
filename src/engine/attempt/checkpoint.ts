import { ServiceError } from "../../errors/service-error.js";
import { MAX_HEARTBEAT_BYTES } from "../../store/index.js";
import { utf8Length } from "../../util/bounded-text.js";
import type { JsonLoss } from "../../util/json-loss.js";
import { largestMember, tellLargest } from "../../util/largest-member.js";
import { isSurelyLarger } from "../../util/least-json.js";
import { losslessJson, reportLoss } from "../../util/lossless-json.js";

/**
 * JSON text of what a task gives `heartbeat()`; undefined for nothing.
 * @throws HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE, HEARTBEAT_PAYLOAD_TOO_LARGE
 */
export function checkpointJson(data: unknown, nodeId: string): string | undefined {
  if (data === undefined) return undefined;
  if (isSurelyLarger(data, MAX_HEARTBEAT_BYTES)) {
    throw new ServiceError(
      "HEARTBEAT_PAYLOAD_TOO_LARGE",
      `Task ${nodeId} gave heartbeat() more than ${MAX_HEARTBEAT_BYTES} bytes of JSON, which is what is kept at most.`,
      { details: { nodeId, path: "", limitBytes: MAX_HEARTBEAT_BYTES }, retryable: false },
    );
  }
  const kept = losslessJson(data);
  if ("loss" in kept) throw notSerializable(nodeId, kept);
  const { json } = kept;
  const size = utf8Length(json);
  if (size <= MAX_HEARTBEAT_BYTES) return json;
  const largest = largestMember(json);
  throw new ServiceError(
    "HEARTBEAT_PAYLOAD_TOO_LARGE",
    `Task ${nodeId} gave heartbeat() ${size} bytes of JSON; at most ${MAX_HEARTBEAT_BYTES} are kept.${tellLargest(largest)}`,
    {
      details: { nodeId, path: largest.path, sizeBytes: size, limitBytes: MAX_HEARTBEAT_BYTES },
      retryable: false,
    },
  );
}

function notSerializable(nodeId: string, { loss, cause }: { loss: JsonLoss; cause?: unknown }): ServiceError {
  return new ServiceError(
    "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
    `Task ${nodeId} gave heartbeat() a value that is not JSON.${reportLoss(loss)}`,
    { details: { nodeId, path: loss.path }, retryable: false, ...(cause !== undefined && { cause }) },
  );
}
