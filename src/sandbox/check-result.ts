import { z } from "zod";
import { ServiceError } from "../errors/service-error.js";
import type { SandboxResult } from "../model/sandbox-provider.js";
import { once } from "../util/once.js";

/** What a request or a result may have as JSON, bytes. */
export const MOST_MANIFEST_BYTES = 5 * 1024 * 1024;
const DEEPEST = 16;
const LONGEST_LIST = 512;
/** Bytes. */
const LONGEST_TEXT = 65_536;
const LONGEST_ID = 256;

const FORM = once(() =>
  z.strictObject({
    status: z.enum(["finished", "failed", "cancelled"]),
    output: z.unknown().optional(),
    error: z.string().optional(),
    retryable: z.boolean().optional(),
    runId: z.string().max(LONGEST_ID).optional(),
    remoteRunId: z.string().max(LONGEST_ID).optional(),
    diffBundle: z
      .strictObject({
        seq: z.number(),
        baseRef: z.string(),
        patches: z.array(
          z.strictObject({
            path: z.string(),
            operation: z.enum(["add", "modify", "delete"]),
            diff: z.string(),
          }),
        ),
      })
      .optional(),
  }),
);

/**
 * The result of a provider, which may have it from anywhere.
 * @throws SANDBOX_BUNDLE_INVALID for another form, SANDBOX_BUNDLE_TOO_LARGE
 */
export function checkedResult(result: SandboxResult): SandboxResult {
  const parsed = FORM().safeParse(result);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `The result of the sandbox has another form than SandboxResult${place}: ${issue?.message ?? "no reason"}.`,
    );
  }
  refuseLarge(result.output, "output", 0);
  refuseLongManifest(Buffer.byteLength(JSON.stringify(result.output) ?? ""));
  return result;
}

/** @throws SANDBOX_BUNDLE_TOO_LARGE */
export function refuseLongManifest(bytes: number): void {
  if (bytes <= MOST_MANIFEST_BYTES) return;
  throw tooLarge(`The request or result of the sandbox has ${bytes} bytes as JSON`, MOST_MANIFEST_BYTES);
}

function refuseLarge(value: unknown, place: string, depth: number): void {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    if (bytes > LONGEST_TEXT) throw tooLarge(`The text at ${place} has ${bytes} bytes`, LONGEST_TEXT);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth >= DEEPEST) throw tooLarge(`The result of the sandbox is nested too deep at ${place}`, DEEPEST);
  if (Array.isArray(value) && value.length > LONGEST_LIST) {
    throw tooLarge(`The list at ${place} has ${value.length} entries`, LONGEST_LIST);
  }
  for (const [key, each] of Object.entries(value))
    refuseLarge(each, `${place}.${key}`.slice(-200), depth + 1);
}

function tooLarge(what: string, limit: number): ServiceError {
  return new ServiceError("SANDBOX_BUNDLE_TOO_LARGE", `${what}; at most ${limit} are taken.`, {
    details: { limit },
    retryable: false,
  });
}
