import type { RunSnapshot } from "../../store/index.js";
import type { RunRow } from "../../model/run.js";

/** The run snapshot of a run that is not stored yet. */
export function newRunSnapshot(
  about: Pick<RunRow, "runId" | "parentRunId" | "workflowPath" | "config"> &
    Pick<RunSnapshot, "input"> & { nowMs: number },
  seed: Pick<RunSnapshot, "nodes" | "outputs">,
): RunSnapshot {
  const { runId, parentRunId, workflowPath, config, input, nowMs } = about;
  return {
    run: {
      runId,
      parentRunId,
      workflowPath,
      config,
      // The first frame tells.
      workflowName: "",
      workflowHash: null,
      status: "running",
      createdAtMs: nowMs,
      startedAtMs: null,
      finishedAtMs: null,
      heartbeatAtMs: null,
      ownerId: null,
      epoch: 0,
      frameNo: 0,
      nextSeq: 0,
      error: null,
      summary: null,
      paused: null,
      wakeAtMs: null,
      deaths: 0,
      inCompany: false,
      lostStarts: 0,
      nextRunId: null,
    },
    input,
    ...seed,
    openAttempts: [],
    controls: [],
    approvals: [],
    intents: [],
    usage: [],
    pendingScores: [],
    lastSnapshot: [],
    loaded: null,
  };
}
