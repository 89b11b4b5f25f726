import { isTerminal } from "../../model/run.js";
import { type Blocker, explainRun } from "../../operations/explain-run.js";
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
  const blockers: Blocker[] = [];
  for (const member of family) {
    const { blockers: own } = await explainRun(db, member);
    blockers.push(
      ...own.filter(({ nodeId, iteration }) => {
        const childId = `${member}:${nodeId}:${iteration}`;
        return !family.some((id) => id === childId);
      }),
    );
  }
  return blockers;
}
