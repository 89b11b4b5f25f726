import { ServiceError } from "../errors/service-error.js";
import { utf8Length } from "../util/bounded-text.js";
import { largestMember, tellLargest } from "../util/largest-member.js";
import { isSurelyLarger } from "../util/least-json.js";
import { losslessJson, reportLoss } from "../util/lossless-json.js";

export interface SentValue {
  /** Begins the messages: "The data of signal paid". */
  subject: string;
  /** Bytes of JSON that are taken. */
  limitBytes: number;
  details: Record<string, unknown>;
}

/**
 * A value for a run, or for memory, as its reader gets it.
 *
 * @throws INVALID_INPUT for what JSON would lose, and for what is too large
 */
export function sentJson(value: unknown, { subject, limitBytes, details }: SentValue): unknown {
  if (isSurelyLarger(value, limitBytes)) {
    throw new ServiceError(
      "INVALID_INPUT",
      `${subject} is more than ${limitBytes} bytes of JSON; at most ${limitBytes} are taken.`,
      { details: { ...details, path: "", limitBytes } },
    );
  }
  const kept = losslessJson(value);
  if ("loss" in kept) {
    throw new ServiceError("INVALID_INPUT", `${subject} is not JSON.${reportLoss(kept.loss)}`, {
      details: { ...details, path: kept.loss.path },
      ...(kept.cause !== undefined && { cause: kept.cause }),
    });
  }
  const sizeBytes = utf8Length(kept.json);
  if (sizeBytes <= limitBytes) return JSON.parse(kept.json) as unknown;
  const largest = largestMember(kept.json);
  throw new ServiceError(
    "INVALID_INPUT",
    `${subject} is ${sizeBytes} bytes of JSON; at most ${limitBytes} are taken.${tellLargest(largest)}`,
    { details: { ...details, path: largest.path, sizeBytes, limitBytes } },
  );
}
