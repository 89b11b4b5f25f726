import { isTerminal } from "../../model/run.js";
import type { Blocker } from "../../operations/blocker.js";
import { explainRun } from "../../operations/explain-run.js";
import type { ServiceDb } from "../../store/service-db.js";

const MOST_CHILDREN = 500;

/** A run and the child runs below it that have not ended. */
export async function runFamily({ store }: ServiceDb, runId: string): Promise<string[]> {
  const family = [runId];
  for (let index = 0; index < family.length; index += 1) {
    const children = await store.listRuns({ parentRunId: family[index] as string, limit: MOST_CHILDREN });
    family.push(...children.filter(({ status }) => !isTerminal(status)).map((child) => child.runId));
  }
  return family;
}

/**
 * What keeps a run from going on, its child runs included: a task that waits for
 * a child run is told by what the child waits for.
 */
export async function familyBlockers(db: ServiceDb, runId: string): Promise<Blocker[]> {
  const family = await runFamily(db, runId);
  const explanations = await Promise.all(family.map((member) => explainRun(db, member)));
  return explanations.flatMap(({ runId: member, blockers }) => ownBlockers(member, blockers, family));
}

/** The blockers of a run without those that only mirror the waits of its child runs. */
export function ownBlockers(
  runId: string,
  blockers: readonly Blocker[],
  otherRunIds: readonly string[],
): Blocker[] {
  const others = new Set(otherRunIds);
  return blockers.filter(({ nodeId, iteration }) => !others.has(`${runId}:${nodeId}:${iteration}`));
}
