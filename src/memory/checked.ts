import { ServiceError } from "../errors/service-error.js";
import { isWellFormed, LONGEST_MEMORY_NAME, namespaceText } from "../model/memory-namespace.js";
import { refuseOption } from "../options/check-options.js";
import { sentJson } from "../options/sent-json.js";
import type { FactAddress } from "../store/index.js";
import { utf8Length } from "../util/bounded-text.js";

/** Bytes of JSON of one fact, and of one message. */
export const LARGEST_MEMORY_VALUE = 1_000_000;

/** @throws INVALID_INPUT */
export function factAddress(namespace: unknown, key: unknown): FactAddress {
  return { namespace: namespaceText(namespace), key: checkedName("key", key) };
}

/** @throws INVALID_INPUT */
export function checkedName(option: string, value: unknown): string {
  if (
    typeof value !== "string" ||
    value === "" ||
    value.length > LONGEST_MEMORY_NAME ||
    !isWellFormed(value)
  ) {
    return refuseOption(option, `a text of 1 to ${LONGEST_MEMORY_NAME} characters`, value);
  }
  return value;
}

/** The value of a fact as it is stored. @throws INVALID_INPUT for what JSON would lose, and what is too large */
export function factJson(value: unknown, { namespace, key }: FactAddress): string {
  if (value === undefined) {
    return refuseOption("value", "plain JSON; deleteFact takes a fact away", value);
  }
  const kept = sentJson(value, {
    subject: `The fact ${key} of ${namespace}`,
    limitBytes: LARGEST_MEMORY_VALUE,
    details: { namespace, key },
  });
  return JSON.stringify(kept);
}

/** @throws INVALID_INPUT */
export function checkedTtl(ttlMs: unknown): number | undefined {
  if (ttlMs === undefined) return undefined;
  if (typeof ttlMs === "number" && Number.isFinite(ttlMs) && ttlMs > 0) return ttlMs;
  return refuseOption("ttlMs", "a number of milliseconds above 0", ttlMs);
}

/** @throws INVALID_INPUT */
export function checkedLimit(limit: unknown): number | undefined {
  if (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 0)) {
    return limit as number | undefined;
  }
  return refuseOption("limit", "a whole number from 0", limit);
}

/** JSON text that comes as such. @throws INVALID_INPUT */
export function checkedJsonText(option: string, text: unknown): string {
  if (typeof text === "string" && isJson(text)) {
    const sizeBytes = utf8Length(text);
    if (sizeBytes <= LARGEST_MEMORY_VALUE) return text;
    throw new ServiceError(
      "INVALID_INPUT",
      `The ${option} is ${sizeBytes} bytes; at most ${LARGEST_MEMORY_VALUE} are taken.`,
      { details: { option, sizeBytes, limitBytes: LARGEST_MEMORY_VALUE } },
    );
  }
  return refuseOption(option, "JSON text, such as JSON.stringify makes it", text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
