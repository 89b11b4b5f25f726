import type { $ZodType } from "zod/v4/core";
import type { SchemaMap } from "../model/schema.js";
import type { Awaitable } from "../util/awaitable.js";
import { SqlStore } from "./logic/store.js";
import { registerHandle, ServiceDb } from "./service-db.js";
import { deriveTables, INPUT_KEY } from "./tables/derive-tables.js";
import { type IgnoredRule, ignoredRules } from "./tables/ignored-rules.js";

/** The schemas behind each handle, so that a test can put the same workflow on a database of its own. */
const definitions = new WeakMap<object, SchemaMap>();

/** By the handles that use another one's connection, that one. */
const lenders = new WeakMap<object, object>();

/** Makes a workflow's `db` known: `new ServiceDb(handle)` finds the store, `schemasOf` the schemas. */
export function registerWorkflowHandle(
  handle: object,
  { store, schemas }: { store: SqlStore<"soon" | "later">; schemas: SchemaMap },
): void {
  registerHandle(handle, store);
  definitions.set(handle, schemas);
}

/** The handle whose connection another one uses; undefined for one with a connection of its own. */
export function lenderOf(handle: object): object | undefined {
  return lenders.get(handle);
}

/** The schemas behind a handle, `input` among them; undefined for a handle of another kind. */
export function schemasOf(db: unknown): SchemaMap | undefined {
  return typeof db === "object" && db !== null ? definitions.get(db) : undefined;
}

/**
 * From now on a handle and its ServiceDb lead to what another one has opened, which has the same tables. One
 * that was used before keeps its own connection.
 */
export function lendDatabase(from: object, to: object): void {
  lenders.set(to, from);
  registerHandle(to, new ServiceDb(from).store);
}

/**
 * Outputs that another generation of a workflow declares besides those of the one that runs: their tables are made, their rows
 * are written by their schema.
 * @param keys of outputs of `from`
 * @throws DB_SCHEMA_CONFLICT where the rows of a running workflow do not fit, DB_MISSING_COLUMNS for the name of a
 *   table that is no workflow's, and what the database throws; then nothing has changed
 */
export function declareOutputs(to: object, from: object, keys: readonly string[]): Awaitable<void> {
  const { store } = new ServiceDb(to);
  const schemas = definitions.get(from);
  if (schemas === undefined || !(store instanceof SqlStore) || keys.length === 0) return;
  const more = Object.fromEntries(keys.map((key) => [key, schemas[key]])) as SchemaMap;
  return (store as SqlStore<"soon">).declareOutputs(deriveTables(more).outputs);
}

/** The input schema behind a workflow's handle; undefined without one, and for a handle of another kind. */
export function inputSchemaOf(db: unknown): SchemaMap[string] | undefined {
  return schemasOf(db)?.[INPUT_KEY];
}

/** Rules of the input schema behind a workflow's handle that do not act; none for a handle of another kind. */
export function ignoredInputRules(db: unknown): IgnoredRule[] {
  const input = inputSchemaOf(db);
  return input === undefined ? [] : ignoredRules(input as unknown as $ZodType);
}
