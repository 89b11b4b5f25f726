import type { ZodObject } from "zod";
import { engineWorkflow, renderRunSnapshot } from "../../engine/index.js";
import type { NodeRow } from "../../model/node.js";
import { drawn } from "../../renderer/frame-waits.js";
import { ServiceDb, type Store } from "../../store/index.js";
import { engineServices, type OperationTarget } from "./target.js";

/**
 * The schema that the element of a node has of its own. It is stored nowhere, so the tree is rendered as the run
 * would see it now. Undefined where only the process that drives the run can tell: for a database, for another workflow than
 * the run's, for a tree that cannot be rendered or has no such task any more.
 */
export async function ownSchemaOf(
  { target, store }: { target: OperationTarget; store: Store },
  { runId, node }: { runId: string; node: NodeRow },
): Promise<ZodObject | undefined> {
  if (target instanceof ServiceDb || !("build" in target)) return undefined;
  const runSnapshot = await store.loadRun(runId);
  if (runSnapshot === undefined) return undefined;
  const services = engineServices(store);
  const workflow = engineWorkflow(target, store);
  try {
    const { tasks, workflowName } = await drawn(() => renderRunSnapshot(services, workflow, runSnapshot));
    if (workflowName !== runSnapshot.run.workflowName) return undefined;
    return tasks.find(({ nodeId, iteration }) => nodeId === node.nodeId && iteration === node.iteration)
      ?.outputSchema;
  } catch {
    return undefined;
  }
}
