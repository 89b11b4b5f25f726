import type { AttemptMeta, NodeRow } from "../../model/node.js";
import { isWaiting, type RunRow, type RunStatus } from "../../model/run.js";
import { newestOfChain, openExisting, type Store } from "../../store/index.js";
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

/** Databases that are looked into: each is opened once, and open until all are closed. */
export class OtherDatabases {
  readonly #open = new Map<string, Store>();

  at(path: string): Store {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const store = openExisting(path, { readOnly: true });
    this.#open.set(path, store);
    return store;
  }

  async close(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    this.#open.clear();
  }
}

/**
 * Child runs in other databases that nodes of a run wait for. Nothing tells the run's own database of what
 * happens to them. A run that cannot be read is left out: the next resume says why.
 * @param about.nodes of the run, where they are known
 * @param about.others what the caller has open, and closes. Without it they are open as long as the run is looked at
 */
export async function* foreignChildren(
  store: Store,
  runId: string,
  about: { nodes?: readonly NodeRow[]; others?: OtherDatabases } = {},
): AsyncGenerator<ForeignChild> {
  const others = about.others ?? new OtherDatabases();
  try {
    for (const node of about.nodes ?? (await store.listNodes(runId))) {
      const { childDatabase: path, childRunId } = await metaOf(store, runId, node);
      if (path === undefined || childRunId === undefined) continue;
      const own = others.at(path);
      const child = await newestIn(own, childRunId);
      if (child !== undefined) yield { node, child, store: own, path };
    }
  } finally {
    if (about.others === undefined) await others.close();
  }
}

/** The record of the newest attempt of a subflow about the child run that it waits for. */
async function metaOf(
  store: Store,
  runId: string,
  { nodeId, iteration, kind, state, lastAttempt }: NodeRow,
): Promise<AttemptMeta> {
  if (kind !== "subflow" || lastAttempt === 0 || !isWaiting(state as RunStatus)) return {};
  return (await store.listAttempts(runId, nodeId, iteration)).at(-1)?.meta ?? {};
}

async function newestIn(store: Store, childRunId: string): Promise<RunRow | undefined> {
  try {
    await store.prepare();
    return await newestOfChain(store, childRunId);
  } catch (error) {
    if (ServiceError.is(error)) return undefined;
    throw error;
  }
}
