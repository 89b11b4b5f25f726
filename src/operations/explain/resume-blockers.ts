import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { standingRefusal } from "../remedies/standing-refusal.js";
import type { ResumeRemedy } from "../remedies/resume.js";
import type { Blocker } from "./blocker.js";

/** Why the process that looks after the run could not continue with it; kept until one can. */
export async function resumeBlockers(store: Store, run: RunRow, resume: ResumeRemedy): Promise<Blocker[]> {
  const failure = await standingRefusal(store, run);
  if (failure === null) return [];
  const { error, failures, failedAtMs: sinceMs, retryAtMs } = failure;
  if (error.code === "RESUME_METADATA_MISMATCH") {
    return [
      {
        kind: "code-changed",
        sinceMs,
        error,
        changes: Array.isArray(error.details?.changes) ? error.details.changes : [],
        summary: error.summary ?? error.message,
        remedy: resume,
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
      summary: `A supervisor could not continue with it, ${failures === 1 ? "once" : `${failures} times in a row`}: ${error.summary ?? error.message}`,
      remedy: resume,
    },
  ];
}
