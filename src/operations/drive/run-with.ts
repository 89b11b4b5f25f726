import { nodeOfChildRun } from "../../model/child-run-id.js";
import {
  type CodeUpdates,
  type EngineServices,
  engineWorkflow,
  resumeRun,
  startRun,
} from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, type RunResult, type RunRow } from "../../model/run.js";
import type { RunLaunch } from "../../model/run-config.js";
import type { RunOptions } from "../../model/run-options.js";
import { newestOfChain } from "../../store/index.js";
import { keepCompiledCode } from "../../startup/compiled-script.js";
import { traceHeaders } from "../../tracing/tracer.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { newId } from "../../util/ids.js";
import { stableJson } from "../../util/stable-json.js";
import { eventFile } from "../read/event-file.js";
import { keepRefusal } from "./keep-refusal.js";
import { removeWorktrees } from "./remove-worktrees.js";
import { checkRunOptions, givenConfig, toRunConfig } from "./run-options.js";
import { storedResult } from "../read/stored-result.js";
import { renderPreview } from "../render-frame.js";
import { takenByOther } from "./taken-by-other.js";

/** Facts that callers inside the library add to a drive. */
interface DriveFacts {
  /** Refuses a run that was claimed since. */
  seen?: RunRow;
  /** Kept with a new run. */
  launch?: RunLaunch;
  /** A new run is only made. @default false */
  isQueued?: boolean;
  /** A resume takes up newer code and nothing else. @default false */
  isForCode?: boolean;
  /** Newer code as it is saved; the option `hot` is dealt with by then. @default none */
  updates?: CodeUpdates | undefined;
}

/** As runWorkflow, with the caller's clock and observers. */
export async function runWith(
  services: EngineServices,
  workflow: ServiceWorkflow,
  { seen, launch, isQueued, isForCode, updates, ...options }: RunOptions & DriveFacts,
): Promise<RunResult> {
  keepCompiledCode();
  const result = await drive(services, workflow, {
    options,
    ...(seen !== undefined && { seen }),
    ...(launch !== undefined && { launch }),
    ...(isQueued !== undefined && { isQueued }),
    ...(isForCode !== undefined && { isForCode }),
    updates,
  });
  // Under an id that was made for it a run is new: it has no parent but the one that is given, and no past.
  const isNew = options.runId === undefined;
  const mayHaveParent = !isNew || (options.parentRunId ?? null) !== null;
  if (mayHaveParent && isTerminal(result.status)) await wakeParent(services, result.runId);
  const mayHaveWorktrees = !isNew || services.worktrees?.wereAsked !== false;
  if (mayHaveWorktrees && result.status === "finished") await removeWorktrees(services.store, result.runId);
  return result;
}

/** A parent that is being driven while this child ended elsewhere looks at it again. */
async function wakeParent({ store, clock }: EngineServices, runId: string): Promise<void> {
  let run = await store.getRun(runId);
  for (;;) {
    if (run?.parentRunId == null) return;
    const parent = await store.getRun(run.parentRunId);
    if (parent === undefined) return;
    // Earlier runs of its own chain stand between a child and its parent.
    if (parent.nextRunId === run.runId) {
      run = parent;
      continue;
    }
    const node = nodeOfChildRun(parent, run.runId);
    if (node === null || isTerminal(parent.status)) return;
    const intent = { kind: "wake", nodeId: node.nodeId, iteration: node.iteration } as const;
    await store.submitIntent({ runId: parent.runId, intent, createdAtMs: clock.now() });
    return;
  }
}

type CheckedRunOptions = ReturnType<typeof checkRunOptions>;

async function drive(
  services: EngineServices,
  workflow: ServiceWorkflow,
  { options, ...facts }: DriveFacts & { options: RunOptions },
): Promise<RunResult> {
  const checked = checkRunOptions(options);
  const known = checked.runId === undefined ? undefined : await services.store.getRun(checked.runId);
  const given = { checked, known, facts };
  return checked.resume ? driveAgain(services, workflow, given) : driveNew(services, workflow, given);
}

interface DriveRequest {
  checked: CheckedRunOptions;
  /** The run of that id, as it is stored. */
  known: RunRow | undefined;
  facts: DriveFacts;
}

function commonOptions({ checked, facts }: DriveRequest) {
  return {
    followContinuation: checked.followContinuation,
    updates: facts.updates,
    ...(checked.signal !== undefined && { signal: checked.signal }),
    ...observer(checked),
  };
}

async function driveAgain(
  services: EngineServices,
  workflow: ServiceWorkflow,
  request: DriveRequest,
): Promise<RunResult> {
  const { store } = services;
  const { checked, known, facts } = request;
  const { force, acceptWorkflowChange, given } = checked;
  const { seen, isForCode = false } = facts;
  const runId = checked.runId as string;
  if (known?.status === "finished") return storedResult(store, known);
  // Its last owner has not released it: it died, and maybe more than its process did.
  if ((known?.ownerId ?? null) !== null) await store.checkIntegrity();
  const resuming = resumeRun(services, engineWorkflow(workflow, store), {
    ...commonOptions(request),
    runId,
    isForCode,
    force,
    acceptWorkflowChange,
    config: givenConfig(given),
    ...(given.initialOutputs !== undefined && { initialOutputs: given.initialOutputs }),
    ...(given.resumeClaim !== undefined && { resumeClaim: given.resumeClaim }),
    ...(seen !== undefined && { seenEpoch: seen.epoch }),
  });
  // Who supervises keeps its failures itself.
  if (seen !== undefined) return resuming;
  return resuming.catch(async (error: unknown) => {
    await keepRefusal(store, runId, { error, nowMs: services.clock.now() });
    throw error;
  });
}

async function driveNew(
  services: EngineServices,
  workflow: ServiceWorkflow,
  request: DriveRequest,
): Promise<RunResult> {
  const { store } = services;
  const { checked, known, facts } = request;
  const { followContinuation, workflowPath, initialOutputs, given } = checked;
  const { launch, isQueued = false } = facts;
  const input = store.validateInput(checked.input);
  const again = { workflow, input, workflowPath, follow: followContinuation };
  if (known !== undefined) return existingRun(services, known, again);
  const { runId = newId() } = checked;
  const starting = startRun(services, engineWorkflow(workflow, store), {
    ...commonOptions(request),
    runId,
    parentRunId: checked.parentRunId ?? null,
    workflowPath: workflowPath ?? null,
    input,
    isQueued,
    config: { ...toRunConfig(given), ...(launch !== undefined && { launch }), ...traceHeaders() },
    ...(initialOutputs !== undefined && { initialOutputs }),
  });
  try {
    return await starting;
  } catch (error) {
    if (!ServiceError.is(error, "RUN_EXISTS")) throw error;
    // Another process started it since we looked.
    const made = await store.getRun(runId);
    if (made === undefined) throw error;
    return existingRun(services, made, again);
  }
}

/** The receivers of each committed event: the caller, and the file in `logDir`. */
function observer({ onProgress, logDir, rootDir }: RunOptions): Pick<RunOptions, "onProgress"> {
  const write = typeof logDir === "string" ? eventFile(logDir, rootDir) : undefined;
  if (write === undefined) return onProgress === undefined ? {} : { onProgress };
  return {
    onProgress(event) {
      write(event);
      return onProgress?.(event);
    },
  };
}

interface StartedAgain {
  workflow: ServiceWorkflow;
  workflowPath: string | undefined;
  input: Record<string, unknown>;
  follow: boolean;
}

/** A start that was made before: the same run, not a second one. */
async function existingRun(
  { store }: EngineServices,
  run: RunRow,
  { follow, ...start }: StartedAgain,
): Promise<RunResult> {
  await refuseOtherWorkflow(run, start);
  const { input } = start;
  const stored = await store.getInput(run.runId);
  if (stableJson(stored ?? {}) !== stableJson(input)) {
    throw new ServiceError("INVALID_INPUT", `Run ${run.runId} exists already, with another input.`, {
      details: { runId: run.runId },
    });
  }
  // The same run that the call which started it returns.
  const last = (follow ? await newestOfChain(store, run.runId) : undefined) ?? run;
  if (last.status === "running") {
    throw new ServiceError("RUN_STILL_RUNNING", `Run ${last.runId} exists already and has not ended.`, {
      details: { runId: last.runId, status: last.status },
    });
  }
  return storedResult(store, last);
}

/** One database holds the runs of many workflows, and equal inputs are common. @throws INVALID_INPUT */
async function refuseOtherWorkflow(
  run: RunRow,
  { workflow, workflowPath, input }: Omit<StartedAgain, "follow">,
): Promise<void> {
  if (workflowPath !== undefined && workflowPath === run.workflowPath) return;
  let name: string;
  try {
    // A name may be made of the run's id, or of what the run was started with.
    name = (await renderPreview(workflow, { input, runId: run.runId }, run.config)).workflowName;
  } catch {
    // Its former name is not known any more; its input has to do.
    return;
  }
  if (name !== run.workflowName) throw takenByOther(run);
}
