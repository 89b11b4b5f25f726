import type { SerializedError } from "../../errors/ensure-error.js";

/** `it failed: the reason`, or the words alone where none is known. */
export function withReason(words: string, failure: SerializedError | null): string {
  return failure === null ? words : `${words}: ${failure.message}`;
}

/** The reasons of all that failed, by name, for a prompt; undefined where none failed. */
export function reasonsOf(
  asked: readonly { name: string; nodeId: string }[],
  failure: (nodeId: string) => SerializedError | null,
): Record<string, string> | undefined {
  const reasons = asked.flatMap(({ name, nodeId }) => {
    const error = failure(nodeId);
    return error === null ? [] : [[name, error.message] as const];
  });
  return reasons.length === 0 ? undefined : Object.fromEntries(reasons);
}

/** Of everybody who has failed, one after the other. */
export function listFailed(
  failed: readonly { name: string; nodeId: string }[],
  failure: (nodeId: string) => SerializedError | null,
): string {
  return failed.map(({ name, nodeId }) => withReason(`${name} failed`, failure(nodeId))).join("; ");
}
