import type { RunEvent } from "../../model/events.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { cancelSuspended } from "./cancel-suspended.js";

export interface LateCancel {
  readonly runId: string;
  readonly workflow: EngineWorkflow;
  readonly reason: string;
  readonly requestedBy?: string;
  readonly onProgress?: ((event: RunEvent) => void) | undefined;
}

/**
 * Cancels a run whose last commit was on its way, or had just suspended it, when its signal was aborted.
 * The request is in the inbox whatever follows: a process that has taken the run up since honours it.
 * False when one did.
 */
export async function cancelLate(services: EngineServices, late: LateCancel): Promise<boolean> {
  const { store, clock } = services;
  const { runId, workflow, reason, requestedBy, onProgress } = late;
  await store.submitIntent({
    runId,
    intent: { kind: "cancel", reason, requestedBy },
    createdAtMs: clock.now(),
  });
  const run = await store.getRun(runId);
  if (run === undefined) return false;
  const { alertRules, alertHandlers } = workflow;
  return (await cancelSuspended(services, run, { alertRules, alertHandlers, onProgress })) !== null;
}
