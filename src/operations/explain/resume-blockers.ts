import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { Blocker } from "./blocker.js";

/** Why whoever looks after the run could not go on with it; kept until somebody can. */
export async function resumeBlockers(store: Store, { runId }: RunRow): Promise<Blocker[]> {
  const failure = await store.resumeFailure(runId);
  if (failure === undefined) return [];
  const { error, failures, failedAtMs: sinceMs, retryAtMs } = failure;
  if (error.code === "RESUME_METADATA_MISMATCH") {
    return [
      {
        kind: "code-changed",
        sinceMs,
        error,
        changes: error.details?.changes ?? [],
        summary: error.summary ?? error.message,
        fix: treadleCommand("up", [], { resume: runId, "accept-workflow-change": true }),
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
      summary: `A supervisor could not go on with it, ${failures} time(s) in a row: ${error.summary ?? error.message}`,
      fix: treadleCommand("up", [], { resume: runId }),
    },
  ];
}
