import type { NodeRow, NodeState } from "../../model/node.js";
import { nodeTable, storedNodeTable } from "../engine-tables/nodes.js";
import type { Query, Statement } from "../sql-port.js";
import { count, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { RUN_NO, upsertOf } from "./rows.js";

/** A row that is written again in the same state, for its label say, has been in it since before. */
const UPSERT = upsertOf(storedNodeTable).replace(
  "state_seq = excluded.state_seq",
  `state_seq = CASE WHEN _service_nodes.state = excluded.state
    AND _service_nodes.last_attempt = excluded.last_attempt
    THEN _service_nodes.state_seq ELSE excluded.state_seq END`,
);

/** `seq` is the newest event of its commit; null for a node that the run begins with. */
export function upsertNode(runNo: number, node: NodeRow, seq: number | null): Statement {
  const params = nodeTable.writeOf(runNo, node);
  params.push(seq, node.wait?.kind === "event" ? node.wait.event : null);
  return { sql: UPSERT, params, isRow: true };
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

/** The one that has waited longest; undefined where none waits. */
export function longestWaiting(runId: string): Query<NodeRow | undefined> {
  return {
    sql: `${SELECT} AND state LIKE 'waiting-%' ORDER BY COALESCE(waiting_since_ms, updated_at_ms), node_id, iteration LIMIT 1`,
    params: [runId],
    read: (rows) => nodeTable.first(rows, runId),
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
