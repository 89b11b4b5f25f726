import type { Store } from "../../store/index.js";
import { findRun } from "../read/find-run.js";
import { findDatabase } from "./open-workspace.js";

/** Where ids are looked for. */
export interface IdPlace {
  cwd: string;
  /** As `--db` or its variable have it; undefined for the nearest database. */
  db: string | undefined;
}

/** An id with what helps to recognize it. */
export interface KnownId {
  id: string;
  about: string;
}

/** More would fill the screen of a person who types. */
const MOST_RUNS = 100;

/**
 * The newest runs whose id begins with `start`.
 * @throws what opening a database throws; one of another version is left as it is
 */
export function knownRuns(place: IdPlace, start: string): Promise<KnownId[]> {
  return peek(place, async (store) => {
    const known: KnownId[] = [];
    for (const runId of await store.findRunIds(start, MOST_RUNS)) {
      const run = await store.getRun(runId);
      if (run !== undefined) known.push({ id: runId, about: `${run.workflowName} ${run.status}` });
    }
    return known;
  });
}

/** The nodes of the run that `reference` means. @throws as knownRuns and findRun */
export function knownNodes(place: IdPlace, reference: string): Promise<KnownId[]> {
  return peek(place, async (store) => {
    const { runId } = await findRun(store, reference);
    // Of a node in a loop, the newest state.
    const nodes = new Map((await store.listNodes(runId)).map(({ nodeId, state }) => [nodeId, state]));
    return [...nodes].map(([id, state]) => ({ id, about: state }));
  });
}

/** A look that neither makes nor upgrades a database. */
async function peek<T>({ cwd, db }: IdPlace, look: (store: Store) => Promise<T>): Promise<T> {
  const path = findDatabase(cwd, db);
  const { openExisting } = await import("../../store/open-existing.js");
  const store = openExisting(path, { readOnly: true });
  try {
    await store.prepare();
    return await look(store);
  } finally {
    await store.close();
  }
}
