import { isAbsolute } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import { runStateOf } from "../../operations/read/run-state.js";
import { HEARTBEAT_MS } from "../../engine/session/lease.js";
import type { Store } from "../../store/contract.js";
import { findRun } from "../runs/run-reference.js";

/** Looked through for the run that a bare `--resume` means. */
const MOST_SEARCHED = 100;

/**
 * The run to continue: the one that is named, else the newest one that has not
 * ended well and that nobody drives. Without a file only a run that names its own.
 * @throws RUN_NOT_FOUND, CLI_USAGE
 */
export async function findResumable(
  store: Store,
  { reference, hasFile }: { reference: string | undefined; hasFile: boolean },
): Promise<RunRow> {
  if (reference !== undefined) return rootOf(store, await findRun(store, reference));
  const nowMs = Date.now();
  // A program started them and has not said where their workflow is: they must not keep the others from going on.
  const unnamed: string[] = [];
  for (const run of await store.listRuns({ limit: MOST_SEARCHED })) {
    const isOver = isTerminal(run.status) && run.status !== "failed";
    const { runState } = runStateOf(run, nowMs, HEARTBEAT_MS);
    const isFree = !isOver && runState !== "running" && (await rootOf(store, run)) === run;
    if (isFree && !hasFile && run.workflowPath === null) unnamed.push(run.runId);
    else if (isFree) return run;
  }
  if (unnamed.length === 0) {
    throw new ServiceError(
      "RUN_NOT_FOUND",
      "No run is left to continue: all have ended or are being driven.",
    );
  }
  throw new ServiceError(
    "RUN_NOT_FOUND",
    `No run is left that says which file it belongs to; programs have started ${unnamed.slice(0, 5).join(", ")}${unnamed.length > 5 ? ` and ${unnamed.length - 5} more` : ""}: treadle up <file> --resume <run>.`,
    { details: { runsWithoutFile: unnamed } },
  );
}

/** The run that a child run works for: child runs are continued by their parents. */
export async function rootOf(store: Store, run: RunRow): Promise<RunRow> {
  if (run.parentRunId === null) return run;
  const parent = await store.getRun(run.parentRunId);
  // The parent of a continue-as-new run has ended; this run stands in its place.
  return parent === undefined || parent.status === "continued" ? run : rootOf(store, parent);
}

/**
 * The workflow file of a run.
 * @throws CLI_USAGE for a run that a program started without saying where its workflow is
 */
export function workflowFileOf({ runId, workflowPath }: RunRow): string {
  if (workflowPath !== null && isAbsolute(workflowPath)) return workflowPath;
  throw new ServiceError(
    "CLI_USAGE",
    `Run ${runId} does not say which file it belongs to: treadle up <file> --resume ${runId}.`,
    { details: { runId, workflowPath } },
  );
}
