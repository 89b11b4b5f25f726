import { HEARTBEAT_MS } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, RUN_STATUSES, type RunRow } from "../../model/run.js";
import { rootOf } from "../children/root-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { findRun } from "./find-run.js";
import { readableRows } from "./readable-rows.js";
import { runStateOf } from "./run-state.js";

/** Looked through for the newest run that can be continued. */
const MOST_SEARCHED = 100;

/** A run that has ended otherwise is not continued unless it is named. */
const MAY_GO_ON = RUN_STATUSES.filter((status) => !isTerminal(status) || status === "failed");

/**
 * The run to continue: the one that is named, or the run above it, else the newest one that has not
 * ended well and that no process drives. Who brings no workflow gets only a run that names its own.
 * @throws RUN_NOT_FOUND, with `details.runsWithoutFile` when those that are left name no workflow;
 * INVALID_INPUT as findRun
 */
export async function findResumable(
  target: OperationTarget,
  { reference, hasFile }: { reference: string | undefined; hasFile: boolean },
): Promise<RunRow> {
  const store = await storeOf(target);
  if (reference !== undefined) return rootOf(store, await findRun(store, reference));
  const nowMs = store.clock.now();
  // A program started them and has not said where their workflow is: they must not keep the others from continuing.
  const unnamed: string[] = [];
  // One that cannot be read is named by every listing; here it must not keep the others from continuing either.
  const readable = await readableRows(
    (except) => store.listRuns({ statuses: MAY_GO_ON, limit: MOST_SEARCHED, except }),
    () => {},
  );
  for (const run of readable) {
    const { runState } = runStateOf(run, nowMs, HEARTBEAT_MS);
    const isFree = runState !== "running" && (await rootOf(store, run)) === run;
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
    `No run is left that says which file it belongs to: programs have started ${unnamed.slice(0, 5).join(", ")}${unnamed.length > 5 ? ` and ${unnamed.length - 5} more` : ""}. Name the file of their workflow with the run.`,
    { details: { runsWithoutFile: unnamed } },
  );
}
