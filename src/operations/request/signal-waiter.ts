import type { ZodObject } from "zod";
import { engineWorkflow, renderRunSnapshot } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { NodeRow } from "../../model/node.js";
import { waitsFor } from "../../model/intent.js";
import { isTerminal } from "../../model/run.js";
import { drawn } from "../../renderer/frame-waits.js";
import { ServiceDb, type Store } from "../../store/index.js";
import { eachChildRun } from "../drive/each-run.js";
import { listNodesInOrder } from "../read/nodes-in-order.js";
import { engineServices, type OperationTarget } from "./target.js";
import { type AnswerCheck, describedSchema, knownSchema, misfits } from "./known-schema.js";

/**
 * Where a node waits for exactly this signal, the schema of the one that will
 * take it decides now whether the data is good. A schema of the element's own is
 * not stored: where the target cannot tell it, it decides when the signal is taken up.
 * @throws INVALID_INPUT
 */
export async function checkSignalData(
  about: { target: OperationTarget; store: Store },
  { runId, signal, correlationId, data }: SignalData,
): Promise<void> {
  const { store } = about;
  for (const node of await listNodesInOrder(store, runId)) {
    const { wait } = node;
    if (!waitsFor(wait, { signal, correlationId }) || node.outputKey === "") continue;
    const { nodeId, iteration } = node;
    const schema =
      wait.hasOwnSchema === true
        ? ((await ownSchemaOf(about, { runId, node })) ??
          describedSchema(await store.getAnswerSchema(runId, nodeId, iteration)))
        : await knownSchema(store, { runId, node });
    return refuseMismatch(schema, { node, signal, data });
  }
}

/** Ids of child runs below a run that wait for a signal which the run itself does not wait for. */
export async function childrenAwaiting(
  store: Store,
  { runId, ...about }: Omit<SignalData, "data">,
): Promise<string[]> {
  if (await isAwaited(store, runId, about)) return [];
  const found: string[] = [];
  for await (const child of eachChildRun(store, runId)) {
    if (isTerminal(child.status) && child.status !== "continued") continue;
    if (await isAwaited(store, child.runId, about)) found.push(child.runId);
    else found.push(...(await childrenAwaiting(store, { runId: child.runId, ...about })));
  }
  return found;
}

/** Whether a node of the run itself waits for exactly this signal. */
export async function isAwaited(
  store: Store,
  runId: string,
  about: Pick<SignalData, "signal" | "correlationId">,
): Promise<boolean> {
  return (await store.listNodes(runId)).some(({ wait }) => waitsFor(wait, about));
}

interface SignalData {
  runId: string;
  signal: string;
  correlationId?: string;
  data: unknown;
}

async function refuseMismatch(
  schema: AnswerCheck | undefined,
  { node, signal, data }: { node: NodeRow; signal: string; data: unknown },
): Promise<void> {
  const issues = await misfits(schema, data, "(data)");
  if (issues.length === 0) return;
  throw new ServiceError(
    "INVALID_INPUT",
    `The data of signal ${signal} does not fit what ${node.nodeId} waits for: ${issues.join("; ")}.`,
    { details: { signal, nodeId: node.nodeId, issues } },
  );
}

/**
 * The schema that the element of a node has of its own. It is stored nowhere, so the tree is rendered as the run
 * would see it now. Undefined where only the process that drives the run can tell: for a database, for another workflow than
 * the run's, for a tree that cannot be rendered or has no such task any more.
 */
async function ownSchemaOf(
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
