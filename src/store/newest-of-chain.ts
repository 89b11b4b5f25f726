import type { RunRow } from "../model/run.js";
import type { Store } from "./contract.js";

/** The run, or the newest of those that continue it. */
export async function newestOfChain(store: Store, runId: string): Promise<RunRow | undefined> {
  let run = await store.getRun(runId);
  while (run?.status === "continued" && run.nextRunId !== null) run = await store.getRun(run.nextRunId);
  return run;
}
