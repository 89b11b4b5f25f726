import {
  parentAsRequester,
  parseTaskKey,
  type SubflowNode,
  type TaskKey,
  taskKey,
} from "../../model/address.js";
import {
  cancelSuspended,
  type EngineServices,
  isAliveAt,
  isOwned,
  type ResetPlan,
} from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { childRunId } from "../../model/child-run-id.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import { newestOfChain, type RunSnapshot } from "../../store/index.js";
import { remedyOf } from "../remedies/error-remedy.js";
import { removeLeft } from "../files/remove-left.js";
import { childRunsOf } from "./child-runs.js";
import { engineServices, storeOf } from "../request/target.js";

interface DroppedChildren extends Pick<ResetPlan, "keys"> {
  /** The node that was asked for, and what makes a task of its child run, and what depends on it, run again. @default none was */
  asked?: {
    key: TaskKey;
    askAgain(workflow: ServiceWorkflow, task: SubflowNode): Promise<unknown>;
  };
  /** Of the nodes that are subflows. */
  workflows: ReadonlyMap<TaskKey, ServiceWorkflow>;
}

/**
 * Deletes the child runs of subflows that are reset, with what they have left in folders and repositories, so that they begin anew
 * with the input that they get then. The asked-for one continues where it is when
 * it has not finished, as with any retry; a denial that ended it is asked for again.
 *
 * To be called before the reset is committed: dying in between leaves a parent
 * that has the rows of its ended children, never a child with an old input.
 * @throws RUN_STILL_RUNNING a process drives such a child
 */
export async function dropChildRuns(
  services: EngineServices,
  runSnapshot: RunSnapshot,
  { keys, workflows, asked }: DroppedChildren,
): Promise<void> {
  const { runId } = runSnapshot.run;
  const started = new Set(runSnapshot.nodes.flatMap((row) => (row.lastAttempt > 0 ? [taskKey(row)] : [])));
  for (const key of keys) {
    if (!started.has(key)) continue;
    const workflow = workflows.get(key);
    const own =
      workflow === undefined ? services : engineServices(await storeOf(workflow), { clock: services.clock });
    const child = await own.store.getRun(childRunId(runSnapshot.run, parseTaskKey(key)));
    if (child === undefined) continue;
    const newest = await newestOfChain(own.store, child.runId);
    if (key === asked?.key && newest !== undefined && newest.status !== "finished") {
      const task = toAskAgain(newest);
      if (task !== null && workflow !== undefined) await asked.askAgain(workflow, task);
      continue;
    }
    await dropFamily(own, child, parentAsRequester(runId));
  }
}

/** Outcomes that a resume would keep, so that the run would end in the same way: a denial, or a row of no use. */
function toAskAgain({ runId, status, error }: RunRow): SubflowNode | null {
  if (status !== "failed" || error === null) return null;
  const { code, details } = error;
  const remedy = remedyOf({ code, details: { ...details, runId } });
  if (remedy?.action !== "retry-task" || remedy.runId !== runId) return null;
  const { action: _action, ...task } = remedy;
  return task;
}

async function dropFamily(services: EngineServices, child: RunRow, requestedBy: string): Promise<void> {
  const family = await familyOf(services, child);
  for (const run of family) await end(services, run, requestedBy);
  // The youngest first: dying in between leaves no run that would be taken for a child of the new one.
  const ids = family.map(({ runId }) => runId).reverse();
  const { store, clock } = services;
  const deleted = new Set(await store.deleteRuns(ids, isAliveAt(clock.now())));
  await removeLeft(family.filter(({ runId }) => deleted.has(runId)));
  for (const runId of ids) {
    const left = deleted.has(runId) ? undefined : await store.getRun(runId);
    if (left !== undefined) throw isDriven(left);
  }
}

/** A run, those that continue it, and the children of all of them. */
async function familyOf({ store }: EngineServices, run: RunRow): Promise<RunRow[]> {
  const family = [run];
  for (const { runId } of family) family.push(...(await childRunsOf(store, runId)));
  return family;
}

async function end(services: EngineServices, { runId }: RunRow, requestedBy: string): Promise<void> {
  const { store, clock } = services;
  const run = await store.getRun(runId);
  if (run === undefined) return;
  const reason = "its node runs again from the start";
  if (!isOwned(run, clock.now())) {
    if (isTerminal(run.status)) return;
    await store.submitIntent({
      runId,
      intent: { kind: "cancel", reason, requestedBy },
      createdAtMs: clock.now(),
    });
    if ((await cancelSuspended(services, run)) !== null) return;
  }
  throw isDriven(run);
}

function isDriven({ runId, ownerId }: RunRow): ServiceError {
  const who = ownerId ?? "another process";
  return new ServiceError("RUN_STILL_RUNNING", `Child run ${runId} is driven by ${who}: stop it first.`, {
    details: { runId, ownerId },
  });
}
