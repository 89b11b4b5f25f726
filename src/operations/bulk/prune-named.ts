import { isAliveAt, isOwned } from "../../engine/index.js";
import type { ServiceErrorCode } from "../../errors/codes.js";
import { isTerminal, type RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { createFamilyCheck } from "../children/family-check.js";
import { eachChildRun } from "../drive/each-run.js";
import { removeLeft } from "../files/remove-left.js";

/** A run that is not deleted. */
export interface KeptRun {
  runId: string;
  /** RUN_NOT_FOUND, or RUN_STILL_RUNNING where it, or a run that needs it, has not ended. */
  code: ServiceErrorCode;
  /** The same in a sentence. */
  message: string;
}

/** Deletes runs that are named, with the child runs below each; a run is deleted as a whole, or kept and said why. */
export async function pruneNamed(
  store: Store,
  { named, dryRun, nowMs }: { named: readonly string[]; dryRun: boolean; nowMs: number },
): Promise<{ runIds: string[]; kept?: KeptRun[] }> {
  // Everything that has ended by now.
  const isFree = createFamilyCheck(store, nowMs + 1);
  const deleted = new Set<string>();
  const kept: KeptRun[] = [];
  for (const runId of new Set(named)) {
    if (deleted.has(runId)) continue;
    const run = await store.getRun(runId);
    if (run === undefined) {
      kept.push({ runId, code: "RUN_NOT_FOUND", message: `There is no run ${runId}.` });
      continue;
    }
    const family = await wholeFamily(store, run);
    const busy = family.find((member) => !isTerminal(member.status) || isOwned(member, nowMs));
    if (busy !== undefined || !(await isFree(run))) {
      const message =
        busy === undefined
          ? `A run that continues needs ${runId}.`
          : `Run ${busy.runId} has not ended${busy === run ? "" : `, which is a part of ${runId}`}.`;
      kept.push({ runId, code: "RUN_STILL_RUNNING", message });
      continue;
    }
    const ids = family.map((member) => member.runId);
    const gone = dryRun ? ids : await store.deleteRuns(ids, isAliveAt(nowMs));
    if (!dryRun) await removeLeft(family.filter((member) => gone.includes(member.runId)));
    for (const id of gone) deleted.add(id);
    if (!gone.includes(runId)) {
      kept.push({ runId, code: "RUN_STILL_RUNNING", message: `Run ${runId} has gone on since and is kept.` });
    }
  }
  return { runIds: [...deleted], ...(kept.length > 0 && { kept }) };
}

/** The run and all child runs below it, ended or not. A run that continues it is none of them. */
async function wholeFamily(store: Store, run: RunRow): Promise<RunRow[]> {
  const family = [run];
  for (const member of family) {
    for await (const child of eachChildRun(store, member.runId)) {
      if (child.runId !== run.nextRunId) family.push(child);
    }
  }
  return family;
}
