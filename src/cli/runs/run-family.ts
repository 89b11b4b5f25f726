import { isTerminal } from "../../model/run.js";
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
