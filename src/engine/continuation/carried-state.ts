import { ServiceError } from "../../errors/service-error.js";
import { MAX_CONTINUATION_BYTES } from "../../store/index.js";
import { utf8Length } from "../../util/bounded-text.js";
import { largestMember, tellLargest } from "../../util/largest-member.js";
import { losslessJson, reportLoss } from "../../util/lossless-json.js";

/** The state for the next run as it is stored. */
export interface CarriedState {
  /** Absent when there is none. */
  value?: unknown;
  /** Bytes of JSON. */
  size: number;
}

/**
 * The state that a run hands to the next one, as JSON keeps it.
 *
 * @throws INVALID_CONTINUATION_STATE, CONTINUATION_STATE_TOO_LARGE
 */
export function carriedState(state: unknown, runId: string): CarriedState {
  if (state === undefined) return { size: 0 };
  const json = toJson(state, runId);
  const size = utf8Length(json);
  if (size <= MAX_CONTINUATION_BYTES) return { value: JSON.parse(json) as unknown, size };
  const largest = largestMember(json);
  throw new ServiceError(
    "CONTINUATION_STATE_TOO_LARGE",
    `The state that <ContinueAsNew> hands to the next run is ${size} bytes of JSON; at most ${MAX_CONTINUATION_BYTES} are carried over.${tellLargest(largest)}`,
    { details: { runId, path: largest.path, sizeBytes: size, limitBytes: MAX_CONTINUATION_BYTES } },
  );
}

function toJson(state: unknown, runId: string): string {
  const kept = losslessJson(state);
  if ("json" in kept) return kept.json;
  throw new ServiceError(
    "INVALID_CONTINUATION_STATE",
    `The state that <ContinueAsNew> hands to the next run is not JSON.${reportLoss(kept.loss)}`,
    { details: { runId, path: kept.loss.path }, ...(kept.cause !== undefined && { cause: kept.cause }) },
  );
}
