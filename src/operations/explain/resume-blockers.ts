import { isTerminal, type RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import type { ResumeRemedy } from "../remedies/resume.js";
import type { Blocker } from "./blocker.js";

/** Why whoever looks after the run could not continue with it; kept until somebody can. */
export async function resumeBlockers(
  store: Store,
  { runId, status }: RunRow,
  resume: ResumeRemedy,
): Promise<Blocker[]> {
  // Somebody else has brought it to its end.
  if (isTerminal(status)) return [];
  const failure = await store.resumeFailure(runId);
  if (failure === undefined) return [];
  const { error, failures, failedAtMs: sinceMs, retryAtMs } = failure;
  if (error.code === "RESUME_METADATA_MISMATCH") {
    return [
      {
        kind: "code-changed",
        sinceMs,
        error,
        changes: Array.isArray(error.details?.changes) ? error.details.changes : [],
        summary: error.summary ?? error.message,
        remedy: { ...resume, acceptWorkflowChange: true },
      },
    ];
  }
  return [
    {
      kind: "resume-failed",
      sinceMs,
      untilMs: retryAtMs,
      failures,
      error,
      summary: `A supervisor could not continue with it, ${failures} time(s) in a row: ${error.summary ?? error.message}`,
      remedy: resume,
    },
  ];
}
