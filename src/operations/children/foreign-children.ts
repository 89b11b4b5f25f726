import { globalTaskId } from "../../model/address.js";
import type { NodeRow } from "../../model/node.js";
import { isWaiting, type RunRow, type RunStatus } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import { openExisting } from "../../store/create-sqlite-db.js";
import { newestOfChain } from "../../store/newest-of-chain.js";
import { ServiceError } from "../../errors/service-error.js";

/** A child run in a database of its own, and the node that waits for it. */
export interface ForeignChild {
  node: NodeRow;
  /** The newest of its chain. */
  child: RunRow;
  store: Store;
  /** File of its database. */
  path: string;
}

/**
 * Child runs in other databases that nodes of a run wait for. Nothing tells the run's own database of what
 * happens to them. Each database is open only as long as its child is looked at; what cannot be read is
 * left out: the next resume says why.
 */
export async function* foreignChildren(
  store: Store,
  runId: string,
  nodes?: readonly NodeRow[],
): AsyncGenerator<ForeignChild> {
  for (const node of nodes ?? (await store.listNodes(runId))) {
    const path = await databaseOfChild(store, runId, node);
    if (path === undefined) continue;
    const own = openExisting(path, { readOnly: true });
    try {
      const child = await childOf(own, runId, node);
      if (child !== undefined) yield { node, child, store: own, path };
    } finally {
      await own.close();
    }
  }
}

async function databaseOfChild(
  store: Store,
  runId: string,
  { nodeId, iteration, kind, state, lastAttempt }: NodeRow,
): Promise<string | undefined> {
  if (kind !== "subflow" || lastAttempt === 0 || !isWaiting(state as RunStatus)) return undefined;
  return (await store.listAttempts(runId, nodeId, iteration)).at(-1)?.meta?.childDatabase;
}

async function childOf(
  store: Store,
  runId: string,
  { nodeId, iteration }: NodeRow,
): Promise<RunRow | undefined> {
  try {
    await store.prepare();
    return await newestOfChain(store, globalTaskId({ runId, nodeId, iteration }));
  } catch (error) {
    if (ServiceError.is(error)) return undefined;
    throw error;
  }
}
