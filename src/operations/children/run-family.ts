import { isTerminal } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { eachChildRun } from "../drive/each-run.js";

/** A run and the child runs below it that have not ended. */
export async function runFamily(store: Store, runId: string): Promise<string[]> {
  const family = [runId];
  for (const member of family) {
    for await (const { status, runId: child } of eachChildRun(store, member)) {
      if (!isTerminal(status)) family.push(child);
    }
  }
  return family;
}
