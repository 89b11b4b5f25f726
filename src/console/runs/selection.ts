import type { GatewayMethods } from "../../client/index.js";

export type ListedRun = GatewayMethods["listRuns"]["result"]["runs"][number];

/** Chosen runs by id, also those of other pages. */
export type Selection = ReadonlyMap<string, ListedRun>;

/** With these runs chosen or, where all of them were, without them. */
export function toggled(selection: Selection, runs: readonly ListedRun[]): Selection {
  const next = new Map(selection);
  const areAll = runs.every(({ runId }) => selection.has(runId));
  for (const run of runs) {
    if (areAll) next.delete(run.runId);
    else next.set(run.runId, run);
  }
  return next;
}
