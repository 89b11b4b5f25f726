import type { SubflowNode } from "../../model/address.js";
import { nodeOfChildRun } from "../../model/child-run-id.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/**
 * Which task has to run again for one of this run to: of a child run it is the
 * subflow of the run above it, which alone knows the file of its workflow.
 */
export async function retriedTask(store: Store, run: RunRow, asked: SubflowNode): Promise<SubflowNode> {
  let task = asked;
  for (let at = run; at.parentRunId !== null; ) {
    const parent = await store.getRun(at.parentRunId);
    if (parent === undefined) break;
    task = nodeOfChildRun(parent, at.runId) ?? task;
    at = parent;
  }
  return task;
}
