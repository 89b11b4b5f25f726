import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";

/**
 * The run that has to be driven so that this one continues: a child run continues through the run
 * that waits for it. Earlier runs of a chain stand between a child and its parent.
 */
export async function rootOf(store: Store, run: RunRow): Promise<RunRow> {
  let root = run;
  for (let at = run; at.parentRunId !== null; ) {
    const parent = await store.getRun(at.parentRunId);
    if (parent === undefined) break;
    at = parent;
    if (parent.status !== "continued") root = parent;
  }
  return root;
}
