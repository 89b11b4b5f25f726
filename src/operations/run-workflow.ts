import type { CodeUpdates, EngineServices } from "../engine/index.js";
import type { RunResult } from "../model/run.js";
import type { RunOptions } from "../model/run-options.js";
import type { InputOf, ResultOf, SchemaMap } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import type { Store } from "../store/index.js";
import { driveChildRun, hasChildWorked } from "./children/drive-child-run.js";
import { refuseOption } from "../options/check-options.js";
import { checkRunOptions } from "./drive/run-options.js";
import { refuseReservedRunId } from "./drive/reserved-run-ids.js";
import { runWith } from "./drive/run-with.js";
import { engineServices, type ServicesOptions, storeOf } from "./request/target.js";

/**
 * Starts a run, or continues one (`resume: true` with its `runId`), and drives it
 * until it ends or only waits. Starting with the id of an existing run and equal
 * input returns that run's result.
 *
 * @throws INVALID_INPUT options or input are wrong; nothing was written
 * @throws what the first render throws; nothing was written
 * @throws RUN_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_STILL_RUNNING, RUN_OWNER_ALIVE,
 * RUN_RESUME_CLAIM_FAILED, RUN_RESUME_CLAIM_LOST, RESUME_METADATA_MISMATCH
 * @throws HOT_OVERLAY_FAILED with `hot`, before anything was written
 */
export async function runWorkflow<S extends SchemaMap>(
  workflow: ServiceWorkflow<S>,
  options: RunOptions<InputOf<S>>,
): Promise<RunResult<ResultOf<S>>> {
  if (typeof options !== "object" || options === null) {
    refuseOption("options", "an object with the input, or with `runId` and `resume`", options);
  }
  const { hot = false, ...rest } = checkRunOptions(options as RunOptions).given;
  if (hot === false) {
    // Rows of the key `output` have passed its schema.
    return (await driveWorkflow(workflow, rest)) as RunResult<ResultOf<S>>;
  }
  const { openHotReload } = await import("./drive/open-hot-reload.js");
  const updates = await openHotReload(workflow, hot, rest);
  try {
    return (await driveWorkflow(workflow, rest, updates)) as RunResult<ResultOf<S>>;
  } finally {
    await updates.close();
  }
}

/** As runWorkflow, with newer code from a watch of the workflow's files; `isForCode`: a resume takes up that alone. */
export async function driveWorkflow(
  workflow: ServiceWorkflow,
  { isForCode = false, ...options }: RunOptions & { isForCode?: boolean },
  updates?: CodeUpdates,
): Promise<RunResult> {
  if (options.resume !== true) refuseReservedRunId(options.runId);
  const store = await storeOf(workflow);
  return runWith(drivingServices(store), workflow, { ...options, updates, isForCode });
}

/** Services that can drive runs, child runs included: each in its own workflow's database, under the same clock. */
export function drivingServices(
  store: Store,
  options: Omit<ServicesOptions, "childRuns"> = {},
): EngineServices {
  return engineServices(store, {
    ...options,
    childRuns: {
      async drive(workflow, request) {
        const services = drivingServices(await storeOf(workflow), options);
        return driveChildRun(workflow, request, { services, parentStore: store });
      },
      async hasWorked(workflow, child) {
        return hasChildWorked(await storeOf(workflow), child);
      },
    },
  });
}
