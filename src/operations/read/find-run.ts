import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/contract.js";
import { rootOf } from "../children/root-run.js";

/** The newest run that somebody has started. */
const LATEST: readonly string[] = ["latest", "-"];

const MOST_CANDIDATES = 10;

/** Newest runs among which one is looked for that is no child. */
const MOST_PASSED_OVER = 200;

/**
 * The run that a person means: an id, the unique start of one, `latest` or `-`.
 * @throws RUN_NOT_FOUND; INVALID_INPUT with the candidates when several ids start like this
 */
export async function findRun(store: Store, reference: string): Promise<RunRow> {
  if (LATEST.includes(reference)) {
    const newest = await newestOwnRun(store);
    if (newest !== undefined) return newest;
    throw notFound("There are no runs yet.", reference);
  }
  const exact = await store.getRun(reference);
  if (exact !== undefined) return exact;
  const candidates = reference === "" ? [] : await store.findRunIds(reference, MOST_CANDIDATES + 1);
  const [only, ...others] = candidates;
  if (only === undefined)
    throw notFound(`No run has the id ${reference}, or one that starts with it.`, reference);
  if (others.length > 0) throw ambiguous(reference, candidates);
  const run = await store.getRun(only);
  if (run === undefined) throw notFound(`Run ${only} was deleted just now.`, reference);
  return run;
}

/** Child runs are not what somebody has started; one is meant only where there is nothing else. */
async function newestOwnRun(store: Store): Promise<RunRow | undefined> {
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
