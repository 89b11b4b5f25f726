import type { RunRow } from "../model/run.js";
import type { Store } from "./contract.js";

/** The run, or the newest of those that continue it and are still there. */
export async function newestOfChain(store: Store, runId: string): Promise<RunRow | undefined> {
  let newest = await store.getRun(runId);
  for (let run = newest; run !== undefined; ) {
    newest = run;
    run = run.nextRunId === null ? undefined : await store.getRun(run.nextRunId);
  }
  return newest;
}
