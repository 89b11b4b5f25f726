import { EFFECT_OUTCOMES, REVERT_STATES, type ToolEffect } from "../../model/tool-effect.js";
import { count, jsonAsText, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";

/** What tools have done that can be undone. */
export const toolEffectTable = new RowTable<ToolEffect>({
  name: "_service_tool_effects",
  key: ["nodeId", "iteration", "attempt", "callNo"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    attempt: count("attempt"),
    callNo: count("call_no"),
    toolName: text("tool_name"),
    idempotencyKey: text("idempotency_key"),
    argsJson: jsonAsText("args_json"),
    resultJson: nullable(jsonAsText("result_json")),
    outcome: oneOf("outcome", EFFECT_OUTCOMES),
    revertState: nullable(oneOf("revert_state", REVERT_STATES)),
  },
});
