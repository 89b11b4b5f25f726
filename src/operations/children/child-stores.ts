import { childWorkflows, engineWorkflow } from "../../engine/index.js";
import { type TaskKey, taskKey } from "../../model/address.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { drawn } from "../../renderer/frame-waits.js";
import type { RunSnapshot, Store } from "../../store/index.js";
import { engineServices, type OperationTarget, storeOf } from "../request/target.js";

/** Child runs may be in databases of their own, which their workflows know; without the code of the run they are not found. */
export async function workflowsOfChildren(
  target: OperationTarget,
  store: Store,
  { runSnapshot, keys }: { runSnapshot: RunSnapshot; keys: readonly TaskKey[] },
): Promise<ReadonlyMap<TaskKey, ServiceWorkflow>> {
  const subflows = runSnapshot.nodes.filter(({ kind }) => kind === "subflow").map(taskKey);
  const own = keys.filter((key) => subflows.includes(key));
  if (own.length === 0 || !("build" in target)) return new Map();
  const services = engineServices(store);
  return drawn(() => childWorkflows(services, engineWorkflow(target, store), { runSnapshot, keys: own }));
}

/** Where the child runs of those workflows are. */
export async function storesOfChildren(
  workflows: ReadonlyMap<TaskKey, ServiceWorkflow>,
): Promise<ReadonlyMap<TaskKey, Store>> {
  const stores = new Map<TaskKey, Store>();
  for (const [key, workflow] of workflows) stores.set(key, await storeOf(workflow));
  return stores;
}
