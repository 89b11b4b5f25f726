import { ServiceError } from "../errors/service-error.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { schemasOf, ServiceDb } from "../store/index.js";
import { sameData } from "../util/same-data.js";
import { stableJson } from "../util/stable-json.js";
import { compareSchemas, type RunSchemas, type SchemaChange } from "./compare-schemas.js";

/**
 * A run that continues keeps its tables and validations, the limits that it shares
 * with others, and its database. Outputs that are new change none of them.
 * @throws SCHEMA_CHANGE_HOT naming each of them, what it was and what it is
 */
export function refuseUnsafe(old: ServiceWorkflow, next: ServiceWorkflow, schemas: RunSchemas): void {
  const changes = [...compareSchemas(schemas, schemasOf(next.db) ?? {}), ...settingsChanged(old, next)];
  const [first] = changes;
  if (first === undefined) return;
  const list = changes.map((change) => `${change.field} was ${change.old} and is ${change.new} now`);
  throw new ServiceError("SCHEMA_CHANGE_HOT", `The run continues with the code before: ${list.join("; ")}.`, {
    details: { ...first, changes },
  });
}

function settingsChanged(old: ServiceWorkflow, next: ServiceWorkflow): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const [was, is] = [new ServiceDb(old.db).path, new ServiceDb(next.db).path];
  if (was !== is) changes.push({ field: "dbPath", old: was, new: is });
  const [before = {}, after = {}] = [old.limits, next.limits];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (sameData(before[name], after[name])) continue;
    changes.push({ field: `limits.${name}`, old: shown(before[name]), new: shown(after[name]) });
  }
  return changes;
}

function shown(value: unknown): string {
  return value === undefined ? "absent" : stableJson(value);
}
