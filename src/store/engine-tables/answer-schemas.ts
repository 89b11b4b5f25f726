import { count, json, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { anything } from "../columns/shape.js";

/** JSON Schemas of what nodes wait for, for callers that answer without the workflow's code. */
export const answerSchemaTable = new RowTable<{ nodeId: string; iteration: number; schema: unknown }>({
  name: "_service_answer_schemas",
  key: ["nodeId", "iteration"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    schema: json("schema_json", anything),
  },
});
