import { toJSONSchema, type ZodObject } from "zod";
import { shortHash } from "../../util/hash.js";
import { stableJson } from "../../util/stable-json.js";
import type { ColumnSpec } from "./column.js";

/** Changes when a column or a declared rule of the schema changes; functions inside a schema do not show. */
export function tableSignature(columns: readonly ColumnSpec[], schema: ZodObject): string {
  const layout = columns.map(({ column, kind, optional, nullable }) => [column, kind, optional, nullable]);
  const rules = toJSONSchema(schema, { unrepresentable: "any", io: "output" });
  return shortHash(stableJson([layout, rules]));
}
