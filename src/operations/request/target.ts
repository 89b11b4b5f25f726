import {
  type ChildRuns,
  crashTriggerFrom,
  currentAttempt,
  type EngineServices,
  HEARTBEAT_MS,
  LocalDispatcher,
  type TaskCap,
} from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { FleetDispatcher } from "../../fleet/fleet-dispatcher.js";
import { watchRuns } from "../../observability/watch-runs.js";
import { refuseOption } from "../../options/check-options.js";
import { ServiceDb, type Store } from "../../store/index.js";
import { FileStates } from "../../vcs/file-states.js";
import { Worktrees } from "../../vcs/worktrees.js";
import type { Clock } from "../../util/clock.js";
import { showWaits } from "./show-waits.js";

/** The target of an operation: a workflow value, its `db`, or a ServiceDb of it. */
export type OperationTarget = ServiceWorkflow | ServiceDb;

/** The database of a target. @throws INVALID_INPUT for what is no target */
export function databaseOf(target: OperationTarget): ServiceDb {
  if (typeof target !== "object" || target === null) {
    refuseOption("target", "a workflow, its db or a ServiceDb", target);
  }
  return target instanceof ServiceDb ? target : new ServiceDb("build" in target ? target.db : target);
}

/** The prepared store of a target. @throws INVALID_INPUT for what is no target */
export async function storeOf(target: OperationTarget): Promise<Store> {
  const { store } = databaseOf(target);
  await store.prepare();
  return store;
}

export interface ServicesOptions {
  /** @default the database's */
  clock?: Clock;
  /** Needed to drive runs; operations that only read or decide do without. */
  childRuns?: ChildRuns;
  /** Of a process that drives runs by the clock of their database. @default "after-a-beat" */
  beatThread?: EngineServices["beatThread"];
  /** Of a host: tasks that its runs have at work at once. @default any number */
  taskCap?: TaskCap;
}

const noChildRuns: ChildRuns = {
  drive: () => Promise.reject(new ServiceError("INTERNAL_ERROR", "This operation drives no child runs.")),
  hasWorked: () => Promise.resolve(false),
};

/** The process's own engine services around a store. */
export function engineServices(store: Store, options: ServicesOptions = {}): EngineServices {
  const clock = options.clock ?? store.clock;
  const crash = crashTriggerFrom(process.env.SERVICE_CRASH_AT);
  const worktrees = new Worktrees();
  showWaits(store);
  const local = new LocalDispatcher({
    clock,
    store,
    childRuns: options.childRuns ?? noChildRuns,
    worktrees,
    fileStates: new FileStates(),
  });
  const { fleet } = store;
  return {
    store,
    clock,
    dispatcher: fleet === undefined ? local : new FleetDispatcher(local, { store, fleet, clock }),
    worktrees,
    ...(options.childRuns !== undefined && { childRuns: options.childRuns }),
    heartbeatMs: HEARTBEAT_MS,
    watch: watchRuns(store, () => currentAttempt()?.runtime),
    ...(clock === store.clock && { beatThread: options.beatThread ?? "after-a-beat" }),
    ...(options.taskCap !== undefined && { taskCap: options.taskCap }),
    ...(crash !== undefined && { crash }),
  };
}
