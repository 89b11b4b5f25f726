import type { NodeRow, NodeState } from "../../model/node.js";
import { nodeTable } from "../engine-tables/nodes.js";
import type { Query, Statement } from "../sql-port.js";
import { count, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { RUN_NO, upsertOf } from "./rows.js";

const UPSERT = upsertOf(nodeTable);

export function upsertNode(runNo: number, node: NodeRow): Statement {
  return { sql: UPSERT, params: nodeTable.writeOf(runNo, node), isRow: true };
}

const SELECT = `SELECT ${nodeTable.names()} FROM _service_nodes WHERE run_no = ${RUN_NO}`;

export function getNode(runId: string, nodeId: string, iteration?: number): Query<NodeRow | undefined> {
  const at = iteration === undefined ? "" : " AND iteration = ?";
  return {
    sql: `${SELECT} AND node_id = ?${at} ORDER BY iteration DESC LIMIT 1`,
    params: [runId, nodeId, ...(iteration === undefined ? [] : [iteration])],
    read: (rows) => nodeTable.first(rows, runId),
  };
}

export function listNodes(runId: string): Query<NodeRow[]> {
  return {
    sql: `${SELECT} ORDER BY node_id, iteration`,
    params: [runId],
    read: (rows) => nodeTable.all(rows, runId),
  };
}

/** Under the first of the nodes in a state, so that a state that is none is said of a row that holds it. */
const stateCounts = new RowTable<{ nodeId: string; state: NodeState; nodes: number }>({
  ...nodeTable,
  key: ["nodeId"],
  columns: { nodeId: text("min(node_id)"), state: nodeTable.columns.state, nodes: count("count(*)") },
});

export function countNodes(runId: string): Query<Partial<Record<NodeState, number>>> {
  return {
    sql: `SELECT ${stateCounts.names()} FROM _service_nodes WHERE run_no = ${RUN_NO} GROUP BY state`,
    params: [runId],
    read: (rows) =>
      Object.fromEntries(stateCounts.all(rows, runId).map(({ state, nodes }) => [state, nodes])),
  };
}
