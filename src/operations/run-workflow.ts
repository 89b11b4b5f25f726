import { resumeRun, startRun } from "../engine/execute-run.js";
import type { ChildRunRequest, EngineServices } from "../engine/ports.js";
import { engineWorkflow } from "../engine/workflow-source.js";
import { ServiceError } from "../errors/service-error.js";
import { isTerminal, type RunResult, type RunRow } from "../model/run.js";
import type { RunOptions } from "../model/run-options.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import type { Store } from "../store/contract.js";
import { newId } from "../util/ids.js";
import { stableJson } from "../util/stable-json.js";
import { eventFile } from "./event-file.js";
import { removeWorktrees } from "./remove-worktrees.js";
import { checkRunOptions, givenConfig, toRunConfig } from "./run-options.js";
import { storedResult } from "./stored-result.js";
import { engineServices, type ServicesOptions, storeOf } from "./target.js";
import { isUnseenFailure } from "./unseen-failure.js";

/**
 * Starts a run, or continues one (`resume: true` with its `runId`), and drives it
 * until it ends or only waits. Starting with the id of an existing run and equal
 * input returns that run's result.
 *
 * @throws INVALID_INPUT options or input are wrong; nothing was written
 * @throws what the first render throws; nothing was written
 * @throws RUN_NOT_FOUND, RUN_NOT_RESUMABLE, RUN_STILL_RUNNING, RUN_OWNER_ALIVE,
 * RUN_RESUME_CLAIM_FAILED, RUN_RESUME_CLAIM_LOST, RESUME_METADATA_MISMATCH
 */
export async function runWorkflow(workflow: ServiceWorkflow, options: RunOptions): Promise<RunResult> {
  const store = await storeOf(workflow);
  return runWith(drivingServices(store), workflow, options);
}

/** Services that can drive runs, child runs included. */
export function drivingServices(
  store: Store,
  options: Omit<ServicesOptions, "childRuns"> = {},
): EngineServices {
  return engineServices(store, {
    ...options,
    childRuns: {
      drive: (workflow, request) => driveChild(workflow, request, { parentStore: store, options }),
    },
  });
}

/** A child run in its own workflow's database, under the same clock: started, continued, or read if it has ended. */
async function driveChild(
  workflow: ServiceWorkflow,
  request: ChildRunRequest,
  { parentStore, options }: { parentStore: Store; options: Omit<ServicesOptions, "childRuns"> },
): Promise<RunResult> {
  const store = await storeOf(workflow);
  const services = drivingServices(store, options);
  const { runId, parentRunId, input, signal, config } = request;
  let known = await store.getRun(runId);
  while (known?.status === "continued" && known.nextRunId !== null)
    known = await store.getRun(known.nextRunId);
  if (known !== undefined && (known.paused !== null || (await isUnseenFailure(parentStore, request, known))))
    return storedResult(store, known);
  const { initialIteration: _i, initialIterations: _is, continuation: _c, ...inherited } = config;
  if (known !== undefined) return runWith(services, workflow, { runId: known.runId, resume: true, signal });
  return runWith(services, workflow, { ...inherited, runId, parentRunId, input, signal });
}

/** As runWorkflow, with the caller's clock and observers. */
export async function runWith(
  services: EngineServices,
  workflow: ServiceWorkflow,
  options: RunOptions,
): Promise<RunResult> {
  const result = await drive(services, workflow, options);
  if (isTerminal(result.status)) await wakeParent(services, result.runId);
  if (result.status === "finished") await removeWorktrees(services.store, result.runId);
  return result;
}

/** A parent that is being driven while this child ended elsewhere looks at it again. */
async function wakeParent({ store, clock }: EngineServices, runId: string): Promise<void> {
  const parentRunId = (await store.getRun(runId))?.parentRunId;
  if (parentRunId == null) return;
  const parent = await store.getRun(parentRunId);
  if (parent === undefined || isTerminal(parent.status)) return;
  await store.submitIntent({ runId: parentRunId, kind: "wake", payload: {}, createdAtMs: clock.now() });
}

async function drive(
  services: EngineServices,
  workflow: ServiceWorkflow,
  options: RunOptions,
): Promise<RunResult> {
  checkRunOptions(options);
  const { store } = services;
  const source = engineWorkflow(workflow, store);
  const common = {
    followContinuation: options.followContinuation ?? true,
    ...(options.signal !== undefined && { signal: options.signal }),
    ...observer(options),
  };
  const known = options.runId === undefined ? undefined : await store.getRun(options.runId);
  if (options.resume === true) {
    const runId = options.runId as string;
    if (known?.status === "finished") return storedResult(store, known);
    return resumeRun(services, source, {
      ...common,
      runId,
      force: options.force ?? false,
      acceptWorkflowChange: options.acceptWorkflowChange ?? false,
      config: givenConfig(options),
      ...(options.resumeClaim !== undefined && { resumeClaim: options.resumeClaim }),
    });
  }
  const input = store.validateInput(options.input ?? {});
  if (known !== undefined) return existingRun(services, known, input);
  return startRun(services, source, {
    ...common,
    runId: options.runId ?? newId(),
    parentRunId: options.parentRunId ?? null,
    workflowPath: options.workflowPath ?? null,
    input,
    config: toRunConfig(options),
    ...(options.initialOutputs !== undefined && { initialOutputs: options.initialOutputs }),
  });
}

/** Who is told of each committed event: the caller, and the file in `logDir`. */
function observer({ onProgress, logDir }: RunOptions): Pick<RunOptions, "onProgress"> {
  const write = typeof logDir === "string" ? eventFile(logDir) : undefined;
  if (write === undefined) return onProgress === undefined ? {} : { onProgress };
  return {
    onProgress(event) {
      write(event);
      onProgress?.(event);
    },
  };
}

/** A start that was made before: the same run, not a second one. */
async function existingRun(
  { store }: EngineServices,
  run: RunRow,
  input: Record<string, unknown>,
): Promise<RunResult> {
  const stored = await store.getInput(run.runId);
  if (stableJson(stored ?? {}) !== stableJson(input)) {
    throw new ServiceError("INVALID_INPUT", `Run ${run.runId} exists already, with another input.`, {
      details: { runId: run.runId },
    });
  }
  if (run.status === "running") {
    throw new ServiceError("RUN_STILL_RUNNING", `Run ${run.runId} exists already and has not ended.`, {
      details: { runId: run.runId, status: run.status },
    });
  }
  return storedResult(store, run);
}
