import { globalTaskId, parentAsRequester } from "../../model/address.js";
import { type ChildRunEnd, type ChildRunRequest, type EngineServices, isOwned } from "../../engine/index.js";
import { isSameProcess } from "../../process/owner.js";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunResult, RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { inRunSpan } from "../../observability/trace/task-span.js";
import { fileIdentity, newestOfChain, type Store } from "../../store/index.js";
import { runWith } from "../drive/run-with.js";
import { spentTokens } from "./spent-tokens.js";
import { storedResult } from "../read/stored-result.js";

export interface ChildRunDriver {
  /** For the child's own database. */
  services: EngineServices;
  parentStore: Store;
  /** Whether another process drives the child. @default whether its owner gives signs of life */
  isDriven?(child: RunRow): boolean;
}

/**
 * Starts a child run, continues it where it stands, or reads its result where it
 * has ended. One that another process drives is waited for: it wakes its parent.
 */
export async function driveChildRun(
  workflow: ServiceWorkflow,
  request: ChildRunRequest,
  driver: ChildRunDriver,
): Promise<ChildRunEnd> {
  const { store } = driver.services;
  const result = await drive(workflow, request, driver);
  const events = (await store.getRun(result.runId))?.nextSeq ?? 0;
  const own = fileIdentity(store);
  return {
    result,
    events,
    tokens: await spentTokens(store, request.runId),
    ...(typeof own === "string" && own !== fileIdentity(driver.parentStore) && { database: own }),
  };
}

/** Whether a task of a child run has begun since, or the run is at rest: its process died later than that. */
export async function hasChildWorked(
  store: Store,
  { runId, sinceMs }: { runId: string; sinceMs: number },
): Promise<boolean> {
  const newest = await newestOfChain(store, runId);
  if (newest === undefined) return false;
  if (newest.status !== "running") return true;
  const attempts = await store.listAttempts(newest.runId);
  return attempts.some(({ startedAtMs }) => startedAtMs >= sinceMs);
}

async function drive(
  workflow: ServiceWorkflow,
  request: ChildRunRequest,
  driver: ChildRunDriver,
): Promise<RunResult> {
  const { runId, parentRunId, input, signal, config, onProgress } = request;
  const watch = { signal: inNameOf(parentRunId, signal), ...(onProgress !== undefined && { onProgress }) };
  const { services, parentStore } = driver;
  const known = await newestOfChain(services.store, runId);
  if (known === undefined) {
    const { initialIteration: _i, initialIterations: _is, continuation: _c, fork: _f, ...inherited } = config;
    const start = { ...inherited, runId, parentRunId, input, ...watch };
    return inRunSpan(parentRunId, parentStore, () => runWith(services, workflow, start));
  }
  await refuseForeign(services.store, request);
  const isAsItIs = known.paused !== null || (await isUnseenEnd(parentStore, request, known, services.store));
  if (isAsItIs) return storedResult(services.store, known);
  const isDriven = driver.isDriven?.(known) ?? isOwned(known, services.clock.now());
  if (isDriven && !isLeftOver(known, request)) return waitFor(known);
  try {
    return await runWith(services, workflow, { runId: known.runId, resume: true, force: true, ...watch });
  } catch (error) {
    // Another process was quicker.
    if (ServiceError.is(error, "RUN_RESUME_CLAIM_FAILED")) return waitFor(known);
    throw error;
  }
}

/**
 * Ids of children are made of names that any caller may give to a run: one that was started under such an id by
 * another caller has done other work.
 * @throws RUN_EXISTS
 */
async function refuseForeign(store: Store, { runId, parentRunId, place }: ChildRunRequest): Promise<void> {
  // Carried over: the run that has begun it said so when it continued as this parent.
  if (runId !== globalTaskId({ runId: parentRunId, ...place })) return;
  const first = await store.getRun(runId);
  if (first === undefined || first.parentRunId === parentRunId) return;
  throw new ServiceError(
    "RUN_EXISTS",
    `Run ${runId} is there already and is no child of run ${parentRunId}, which would give its child this id.`,
    { details: { runId, parentRunId } },
  );
}

/** Driven in the name of a parent that its process has lost to this one. */
function isLeftOver({ ownerId }: RunRow, { formerOwner }: ChildRunRequest): boolean {
  return ownerId !== null && formerOwner !== null && isSameProcess(ownerId, formerOwner);
}

function waitFor({ runId }: RunRow): RunResult {
  return { runId, status: "waiting-event" };
}

/** The parent's signal, which cancels the child in the parent's name. */
function inNameOf(parentRunId: string, signal: AbortSignal): AbortSignal {
  const own = new AbortController();
  const pass = () => {
    const cause: unknown = signal.reason;
    if (ServiceError.is(cause, "PROCESS_ABORTED")) return own.abort(cause);
    const reason = `its parent ${parentRunId} ended its node: ${ensureError(cause).message}`;
    const details = { reason, requestedBy: parentAsRequester(parentRunId) };
    own.abort(new ServiceError("RUN_CANCELLED", reason, { cause, details }));
  };
  if (signal.aborted) pass();
  else signal.addEventListener("abort", pass, { once: true });
  return own.signal;
}

/**
 * Whether a child run has ended without its parent knowing: it failed and the
 * parent's process died between the two commits, or it was cancelled. Such
 * an end is the result of the node; driving the child again is for a parent that
 * has seen it and retries, or that had cancelled the child itself.
 *
 * An attempt that ends keeps how many events the child had then. A drive that
 * ends has added some; one that has only claimed the child has not.
 */
async function isUnseenEnd(
  parentStore: Store,
  { parentRunId, place: { nodeId, iteration } }: ChildRunRequest,
  child: RunRow,
  store: Store,
): Promise<boolean> {
  if (child.status !== "failed" && !(await isCancelledByOthers(store, child, parentRunId))) return false;
  const attempts = await parentStore.listAttempts(parentRunId, nodeId, iteration);
  return !attempts.some(
    ({ meta }) => meta?.childRunId === child.runId && meta.childRunEvents === child.nextSeq,
  );
}

async function isCancelledByOthers(store: Store, child: RunRow, parentRunId: string): Promise<boolean> {
  if (child.status !== "cancelled") return false;
  const query = { types: ["RunCancelled" as const], descending: true, limit: 1 };
  const [end] = await store.listEvents(child.runId, query);
  if (end?.event.type !== "RunCancelled") return false;
  return end.event.requestedBy !== parentAsRequester(parentRunId);
}
