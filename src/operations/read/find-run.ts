import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { rootOf } from "../children/root-run.js";

/** Names for the newest run that is not a child run. */
const LATEST: readonly string[] = ["latest", "-"];

const MOST_CANDIDATES = 10;

/** Newest runs among which one is looked for that is no child. */
const MOST_PASSED_OVER = 200;

/** A run, and the store that has it. */
export interface MeantRun {
  run: RunRow;
  store: Store;
}

/**
 * The run that a person means: an id, the unique start of one, `latest` or `-`.
 * @throws RUN_NOT_FOUND; INVALID_INPUT with the candidates when several ids start like this
 */
export async function findRun(store: Store, reference: string): Promise<RunRow> {
  return (await findRunIn([store], reference)).run;
}

/** As findRun, over several stores. @throws as findRun */
export async function findRunIn(stores: readonly Store[], reference: string): Promise<MeantRun> {
  if (LATEST.includes(reference)) return newestRun(stores, reference);
  const candidates: { runId: string; store: Store }[] = [];
  for (const store of stores) {
    const run = await store.getRun(reference);
    if (run !== undefined) return { run, store };
    const found = reference === "" ? [] : await store.findRunIds(reference, MOST_CANDIDATES + 1);
    candidates.push(...found.map((runId) => ({ runId, store })));
  }
  const [only, ...others] = candidates;
  if (only === undefined)
    throw notFound(`No run has the id ${reference}, or one that starts with it.`, reference);
  if (others.length > 0)
    throw ambiguous(
      reference,
      candidates.map(({ runId }) => runId),
    );
  const run = await only.store.getRun(only.runId);
  if (run === undefined) throw notFound(`Run ${only.runId} was deleted just now.`, reference);
  return { run, store: only.store };
}

async function newestRun(stores: readonly Store[], reference: string): Promise<MeantRun> {
  let newest: MeantRun | undefined;
  for (const store of stores) {
    const run = await newestOwnRun(store);
    if (run !== undefined && (newest === undefined || run.createdAtMs > newest.run.createdAtMs)) {
      newest = { run, store };
    }
  }
  if (newest !== undefined) return newest;
  throw notFound("There are no runs yet.", reference);
}

/** The newest run that is no child run; a child run is meant only where there is nothing else. */
async function newestOwnRun(store: Store): Promise<RunRow | undefined> {
  // On its own: an older run that cannot be read is not what is meant.
  const [first] = await store.listRuns({ limit: 1 });
  if (first === undefined || (await rootOf(store, first)) === first) return first;
  const newest = await store.listRuns({ limit: MOST_PASSED_OVER });
  for (const run of newest) if ((await rootOf(store, run)) === run) return run;
  return newest[0];
}

function notFound(summary: string, reference: string): ServiceError {
  return new ServiceError("RUN_NOT_FOUND", summary, { details: { run: reference } });
}

function ambiguous(reference: string, candidates: readonly string[]): ServiceError {
  const shown = candidates.slice(0, MOST_CANDIDATES);
  const more = candidates.length > shown.length ? ", …" : "";
  return new ServiceError(
    "INVALID_INPUT",
    `Several runs start with ${reference}: ${shown.join(", ")}${more}. Give more of the id.`,
    { details: { run: reference, candidates: shown } },
  );
}
