import type { ServiceWorkflow } from "../model/workflow.js";
import { refuseOption } from "../options/check-options.js";
import { ServiceDb, type Store } from "../store/index.js";

/** Where scores are: a workflow, or a ServiceDb. */
export type ScoreTarget = ServiceWorkflow | ServiceDb;

/** The prepared store of a target. @throws INVALID_INPUT for what is no target */
export async function scoreStore(target: ScoreTarget): Promise<Store> {
  if (typeof target !== "object" || target === null) {
    refuseOption("target", "a workflow, its db or a ServiceDb", target);
  }
  const isWorkflow = !(target instanceof ServiceDb) && "build" in target;
  const { store } = target instanceof ServiceDb ? target : new ServiceDb(isWorkflow ? target.db : target);
  await store.prepare();
  return store;
}
