import { ServiceError } from "../../errors/service-error.js";

/** What a request or a result may have as JSON, bytes. */
export const MOST_MANIFEST_BYTES = 5 * 1024 * 1024;
/** What a sandbox may add to its files, and what all files of a bundle may have, bytes. */
export const MOST_BUNDLE_BYTES = 100 * 1024 * 1024;

const DEEPEST = 16;
const LONGEST_LIST = 512;
/** Bytes. */
const LONGEST_TEXT = 65_536;

/** @throws SANDBOX_BUNDLE_TOO_LARGE */
export function refuseLongManifest(bytes: number): void {
  if (bytes <= MOST_MANIFEST_BYTES) return;
  throw bundleTooLarge(
    `The request or result of the sandbox has ${bytes} bytes as JSON`,
    MOST_MANIFEST_BYTES,
  );
}

/** @throws SANDBOX_BUNDLE_TOO_LARGE naming the part of an output that is too long or too deep */
export function refuseLargeOutput(value: unknown, place = "output", depth = 0): void {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    if (bytes > LONGEST_TEXT) throw bundleTooLarge(`The text at ${place} has ${bytes} bytes`, LONGEST_TEXT);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= DEEPEST)
    throw bundleTooLarge(`The result of the sandbox is nested too deep at ${place}`, DEEPEST);
  if (Array.isArray(value) && value.length > LONGEST_LIST) {
    throw bundleTooLarge(`The list at ${place} has ${value.length} entries`, LONGEST_LIST);
  }
  for (const [key, each] of Object.entries(value))
    refuseLargeOutput(each, `${place}.${key}`.slice(-200), depth + 1);
}

export function bundleTooLarge(what: string, limit: number): ServiceError {
  return new ServiceError("SANDBOX_BUNDLE_TOO_LARGE", `${what}; at most ${limit} are taken.`, {
    details: { limit },
    retryable: false,
  });
}
