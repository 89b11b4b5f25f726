import { toJSONSchema, type ZodObject } from "zod";
import type { AwaitedSchema } from "../contract.js";
import { answerSchemaTable } from "../engine-tables/answer-schemas.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

/** Characters; a larger schema is not kept, and what is sent is checked when it is taken up. */
const LARGEST = 100_000;

const known = new WeakMap<ZodObject, unknown>();

/** A schema as JSON Schema, without the rules of its functions; null where it has none. */
export function schemaInJson(schema: ZodObject): unknown {
  let found = known.get(schema);
  if (found === undefined) {
    found = describe(schema);
    known.set(schema, found);
  }
  return found;
}

function describe(schema: ZodObject): unknown {
  try {
    const json = toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return JSON.stringify(json).length > LARGEST ? null : json;
  } catch {
    return null;
  }
}

const UPSERT = upsertOf(answerSchemaTable);

export function writeAnswerSchema(runNo: number, { nodeId, iteration, schema }: AwaitedSchema): Statement[] {
  const json = schemaInJson(schema);
  if (json === null) return [];
  return [{ sql: UPSERT, params: [runNo, ...answerSchemaTable.write({ nodeId, iteration, schema: json })] }];
}

/** Undefined where none is kept. */
export function getAnswerSchema(runId: string, nodeId: string, iteration: number): Query<unknown> {
  return {
    sql: `SELECT ${answerSchemaTable.names()} FROM _service_answer_schemas
      WHERE run_no = ${RUN_NO} AND node_id = ? AND iteration = ?`,
    params: [runId, nodeId, iteration],
    read: (rows) => answerSchemaTable.first(rows, runId)?.schema,
  };
}
