import { z, type ZodObject } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { SchemaMap } from "../../model/schema.js";
import { CHECKSUM_COLUMN } from "./checksum.js";
import type { ColumnSpec } from "./column.js";
import { definitionOf, fieldTypeOf, type SchemaSide } from "./field-type.js";
import { InputCodec } from "./input-codec.js";
import { formatPath, snakeCase } from "./names.js";
import { OutputCodec } from "./output-codec.js";
import { findUnstorable } from "./storable.js";

/** The generated tables of one schema map. */
export interface DerivedTables {
  readonly input: InputCodec;
  /** Schema key to the codec of its table. */
  readonly outputs: ReadonlyMap<string, OutputCodec>;
}

/** Key of the input schema, and name of its table. */
export const INPUT_KEY = "input";

/** Columns that every output table has; no schema field may claim them. */
const ADDRESS_COLUMNS: ReadonlySet<string> = new Set(["run_id", "node_id", "iteration", CHECKSUM_COLUMN]);
/** SQLite's limit for a table is 2000. */
const MOST_FIELDS = 1_990;
/** Column for members without a field of their own; reserved in loose schemas. */
const EXTRA_COLUMN = "_extra";
const EXTRA: ColumnSpec = {
  field: EXTRA_COLUMN,
  column: EXTRA_COLUMN,
  kind: "extra",
  valueKind: "extra",
  optional: true,
  nullable: false,
};

/**
 * Tables of a schema map, in its order.
 * @throws SCHEMA_INCOMPATIBLE listing every key and field that cannot be stored.
 */
export function deriveTables(schemas: SchemaMap): DerivedTables {
  const issues: SchemaIssue[] = [];
  const outputs = new Map<string, OutputCodec>();
  let inputColumns: ColumnSpec[] | undefined;
  const tableNames = new Map([[INPUT_KEY, INPUT_KEY]]);
  const shared = sharedSchemas(schemas);
  for (const [key, given] of Object.entries(schemas)) {
    const tableName = key === INPUT_KEY ? INPUT_KEY : claimTableName(key, tableNames, issues);
    if (!isObjectSchema(given)) {
      issues.push({ path: key, message: whyNoObject(given) });
      continue;
    }
    // An output is named by its schema object, so each key of a shared one gets a copy, which knows what it is of.
    const schema = shared.has(given) && key !== INPUT_KEY ? given.clone() : given;
    const columns = deriveColumns(key, schema, issues);
    if (key === INPUT_KEY) inputColumns = columns;
    else outputs.set(key, new OutputCodec({ key, tableName, schema, columns }));
  }
  if (issues.length > 0) throw incompatible(issues);
  return { input: new InputCodec(inputColumns), outputs };
}

/** Those that stand under several output keys. */
function sharedSchemas(schemas: SchemaMap): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const outputs = Object.entries(schemas).filter(([key]) => key !== INPUT_KEY);
  return new Set(
    outputs.flatMap(([, schema]) => {
      const isKnown = seen.has(schema);
      seen.add(schema);
      return isKnown ? [schema] : [];
    }),
  );
}

/** The same tables, and the one for rows that composites keep for themselves. */
export function withCompositeRows({ input, outputs }: DerivedTables): DerivedTables {
  const schema = z.looseObject({});
  const columns = deriveColumns(COMPOSITE_ROWS, schema, []);
  const codec = new OutputCodec({ key: COMPOSITE_ROWS, tableName: COMPOSITE_ROWS, schema, columns });
  return { input, outputs: new Map([...outputs, [COMPOSITE_ROWS, codec]]) };
}

interface SchemaIssue {
  /** Schema key and field path. */
  path: string;
  message: string;
}

function deriveColumns(key: string, schema: ZodObject, issues: SchemaIssue[]): ColumnSpec[] {
  const side: SchemaSide = key === INPUT_KEY ? "input" : "output";
  const owners = new Map<string, string>();
  const columns: ColumnSpec[] = [];
  const fields = Object.entries(schema.shape);
  if (fields.length > MOST_FIELDS) {
    const message = `has ${fields.length} fields, but a row has at most ${MOST_FIELDS}: put some into an object that is one field`;
    issues.push({ path: key, message });
    return [];
  }
  for (const [field, fieldSchema] of fields) {
    const column = snakeCase(field);
    const report = (message: string) => issues.push({ path: `${key}.${field}`, message });
    if (ADDRESS_COLUMNS.has(column)) report(`is a reserved name: each row has its own ${column}`);
    else if (owners.has(column)) report(`becomes column "${column}", as "${owners.get(column)}" does`);
    else if (column === "" || field === "__proto__") report("is not a usable column name");
    owners.set(column, field);
    for (const { path, type } of findUnstorable(fieldSchema, side, [key, field])) {
      issues.push({ path: formatPath(path), message: `has the type ${type}, which cannot be stored` });
    }
    columns.push({ field, column, schema: fieldSchema, ...fieldTypeOf(fieldSchema, side) });
  }
  const { catchall } = schema._zod.def;
  if (catchall !== undefined && definitionOf(catchall).type !== "never") {
    const owner = owners.get(EXTRA_COLUMN);
    if (owner !== undefined) {
      issues.push({ path: `${key}.${owner}`, message: "is a reserved name in a loose schema" });
    }
    for (const { path, type } of findUnstorable(catchall, side, [key])) {
      issues.push({
        path: formatPath(path),
        message: `lets through the type ${type}, which cannot be stored`,
      });
    }
    columns.push({ ...EXTRA, schema: catchall });
  }
  return columns;
}

function claimTableName(key: string, taken: Map<string, string>, issues: SchemaIssue[]): string {
  const name = snakeCase(key);
  const owner = taken.get(name);
  if (owner !== undefined) issues.push({ path: key, message: `becomes table "${name}", as "${owner}" does` });
  else if (name === "" || name.startsWith("_service_") || name.startsWith("sqlite_")) {
    issues.push({ path: key, message: `becomes table "${name}", a reserved name` });
  }
  taken.set(name, key);
  return name;
}

function isObjectSchema(value: unknown): value is ZodObject {
  if (typeof value !== "object" || value === null || !("_zod" in value)) return false;
  return definitionOf(value as ZodObject).type === "object";
}

function whyNoObject(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "is not a zod 4 object schema";
  if (!("_zod" in schema)) {
    return "_def" in schema
      ? 'is a schema of zod 3: import z from zod 4 ("zod", or "zod/v4" where zod 3 is installed)'
      : "is not a zod 4 object schema";
  }
  const { type } = definitionOf(schema as ZodObject);
  if (type === "pipe" || type === "readonly" || type === "lazy") {
    return `is not a zod 4 object schema but a ${type} around one: put transforms and the like on its fields`;
  }
  return `is not a zod 4 object schema but of the type ${type}: a row has fields, so make it one of them, z.object({ value: … })`;
}

function incompatible(issues: readonly SchemaIssue[]): ServiceError {
  const list = issues.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new ServiceError("SCHEMA_INCOMPATIBLE", `The schema cannot be stored: ${list}.`, {
    details: { issues },
  });
}
