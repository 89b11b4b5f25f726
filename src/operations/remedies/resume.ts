import { existsSync } from "node:fs";
import type { Remedy } from "../../model/remedy.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { rootOf } from "../children/root-run.js";
import { standingRefusal } from "./standing-refusal.js";

export type ResumeRemedy = Extract<Remedy, { action: "resume" }>;

/** How the run is driven on: through the run above it, if it works for one, and with what its last resume lacked. */
export async function resumeRemedy(store: Store, run: RunRow): Promise<ResumeRemedy> {
  const root = await rootOf(store, run);
  const { runId, workflowPath } = root;
  const isWithoutFile = workflowPath === null || !existsSync(workflowPath);
  const refusal = await standingRefusal(store, root);
  return {
    action: "resume",
    runId,
    ...(isWithoutFile && { needsWorkflow: true as const }),
    ...(refusal?.error.code === "RESUME_METADATA_MISMATCH" && { acceptWorkflowChange: true as const }),
  };
}
