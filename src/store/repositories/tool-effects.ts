import type { ToolEffect } from "../../model/tool-effect.js";
import { toolEffectTable } from "../engine-tables/tool-effects.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(toolEffectTable);

export function upsertToolEffect(runNo: number, effect: ToolEffect): Statement {
  return { sql: UPSERT, params: toolEffectTable.writeOf(runNo, effect) };
}

/** By address. */
export function listToolEffects(runId: string): Query<ToolEffect[]> {
  return {
    sql: `SELECT ${toolEffectTable.names()} FROM _service_tool_effects WHERE run_no = ${RUN_NO}
      ORDER BY node_id, iteration, attempt, call_no`,
    params: [runId],
    read: (rows) => toolEffectTable.all(rows, runId),
  };
}
