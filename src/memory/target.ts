import type { ServiceWorkflow } from "../model/workflow.js";
import { refuseOption } from "../options/check-options.js";
import {
  type PostgresWorkflowDatabase,
  ServiceDb,
  SqliteStore,
  type Store,
  type WorkflowDatabase,
} from "../store/index.js";

/** Where memory is: a workflow, its `db` or a ServiceDb of it, or the path of a database file. */
export type MemoryTarget = ServiceWorkflow | WorkflowDatabase | PostgresWorkflowDatabase | ServiceDb | string;

/** The store of a target. One that was opened for this purpose is the caller's to close. */
export interface OpenedTarget {
  readonly store: Store;
  readonly isOwn: boolean;
}

/** @throws INVALID_INPUT, DB_REQUIRES_RUNTIME_SQLITE for what is no target */
export function openMemoryTarget(target: MemoryTarget): OpenedTarget {
  if (typeof target === "string" && target !== "") {
    return { store: new SqliteStore({ path: target }), isOwn: true };
  }
  if (typeof target !== "object" || target === null) {
    refuseOption("target", "a workflow, its db, or the path of a database", target);
  }
  if (target instanceof ServiceDb) return { store: target.store, isOwn: false };
  // To look into a handle would open its database.
  const isWorkflow = "build" in target && typeof target.build === "function";
  return { store: new ServiceDb(isWorkflow ? (target as ServiceWorkflow).db : target).store, isOwn: false };
}
