import type { Remedy } from "../../model/remedy.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import { rootOf } from "../children/root-run.js";

export type ResumeRemedy = Extract<Remedy, { action: "resume" }>;

/** How the run is driven on: through the run above it, if it works for one. */
export async function resumeRemedy(store: Store, run: RunRow): Promise<ResumeRemedy> {
  const { runId, workflowPath } = await rootOf(store, run);
  return { action: "resume", runId, ...(workflowPath === null && { needsWorkflow: true as const }) };
}
