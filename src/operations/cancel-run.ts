import { cancelSuspended, engineWorkflow, isOwned } from "../engine/index.js";
import { ServiceError } from "../errors/service-error.js";
import { isTerminal, type RunRow } from "../model/run.js";
import * as rules from "../options/option-rules.js";
import { checkOptions } from "../options/check-options.js";
import { newestOfChain } from "../store/index.js";
import type { ActionResult } from "./request/action-result.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** Which run to cancel, and what to keep about it. */
export interface CancelRequest {
  /** Of a run that continued as new, the newest one of its chain is cancelled. */
  runId: string;
  /** Kept in the event `RunCancelled`. */
  reason?: string;
  /** Who cancels it; kept in the event `RunCancelled`. */
  requestedBy?: string;
}

/** The result of the request. */
export interface CancelResult extends ActionResult {
  /** The run that is cancelled: the newest of the chain that was asked for. */
  runId: string;
  /** `cancelling`: the process that drives the run has been asked and ends it within its grace period. */
  status: "cancelled" | "cancelling";
}

const RULES = {
  runId: rules.required(rules.name),
  reason: rules.text,
  requestedBy: rules.name,
} satisfies rules.OptionRules<CancelRequest>;

/**
 * Cancels a run, or the newest of those that continue it: at once when no process drives it, otherwise through its owner,
 * which aborts the tasks in progress.
 * @throws RUN_NOT_FOUND, RUN_NOT_ACTIVE when it has ended already; INVALID_INPUT for an option that is
 * unknown or not as described
 */
export async function cancelRun(target: OperationTarget, request: CancelRequest): Promise<CancelResult> {
  const { runId, reason, requestedBy } = checkOptions("cancelRun", request, RULES);
  const store = await storeOf(target);
  const services = engineServices(store);
  await requireRun(store, runId);
  const run = (await newestOfChain(store, runId)) as RunRow;
  if (isTerminal(run.status)) throw hasEnded(run);
  const id = await store.submitIntent({
    runId: run.runId,
    intent: { kind: "cancel", reason, requestedBy },
    createdAtMs: services.clock.now(),
  });
  // It has ended since it was looked at.
  if (id === undefined) throw hasEnded((await newestOfChain(store, runId)) ?? run);
  // It may have continued as another one meanwhile, and the request with it.
  const asked = (await newestOfChain(store, run.runId)) ?? run;
  // Its owner will read the inbox.
  if (isOwned(asked, services.clock.now())) return { runId: asked.runId, status: "cancelling", seq: null };
  const workflow = "build" in target ? engineWorkflow(target, store) : undefined;
  const seq = await cancelSuspended(services, asked, workflow);
  return { runId: asked.runId, status: seq === null ? "cancelling" : "cancelled", seq };
}

function hasEnded({ runId, status }: RunRow): ServiceError {
  return new ServiceError("RUN_NOT_ACTIVE", `Run ${runId} is ${status} already.`, {
    details: { runId, status },
  });
}
