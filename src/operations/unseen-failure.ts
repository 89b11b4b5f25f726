import type { ChildRunRequest } from "../engine/ports.js";
import type { RunRow } from "../model/run.js";
import type { Store } from "../store/contract.js";

/**
 * Whether a child run has failed without its parent knowing: the parent's process
 * died between the two commits. Such a failure is the result of the interrupted
 * attempt; driving the child again is for a parent that has seen it and retries.
 */
export async function isUnseenFailure(
  parentStore: Store,
  request: Pick<ChildRunRequest, "runId" | "parentRunId">,
  child: RunRow,
): Promise<boolean> {
  if (child.status !== "failed" || child.finishedAtMs === null) return false;
  const address = request.runId.slice(request.parentRunId.length + 1);
  const at = address.lastIndexOf(":");
  const attempts = await parentStore.listAttempts(
    request.parentRunId,
    address.slice(0, at),
    Number(address.slice(at + 1)),
  );
  const ended = attempts.filter(({ state }) => state === "failed" || state === "cancelled");
  const lastEndedAtMs = ended.at(-1)?.finishedAtMs ?? Number.NEGATIVE_INFINITY;
  return child.finishedAtMs > lastEndedAtMs;
}
