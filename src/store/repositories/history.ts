import { isTerminalNode, NODE_STATES, type NodeRow } from "../../model/node.js";
import type { RunCommit } from "../contract.js";
import { outputHistoryTable, type ReplacedRow } from "../engine-tables/history.js";
import { nodeTable } from "../engine-tables/nodes.js";
import type { Query, Statement } from "../sql-port.js";
import type { GeneratedTables } from "./generated-tables.js";
import { insertSql } from "./rows.js";

/* Rows that a commit keeps when it replaces them. */

export const ENDED = `state IN (${NODE_STATES.filter(isTerminalNode)
  .map((state) => `'${state}'`)
  .join(", ")})`;

const KEEP_NODE = `INSERT INTO _service_node_history (run_no, until_seq, since_seq, ${nodeTable.names()})
  SELECT run_no, ?, state_seq, ${nodeTable.names()} FROM _service_nodes
  WHERE run_no = ? AND node_id = ? AND iteration = ? AND ${ENDED}`;
const KEEP_ENDED = `${KEEP_NODE} ON CONFLICT DO NOTHING`;
const KEEP_OTHER = `${KEEP_NODE} AND NOT (state = ? AND last_attempt = ?) ON CONFLICT DO NOTHING`;

type Address = Pick<NodeRow, "nodeId" | "iteration">;

/** The nodes as they are, before the commit's own rows are written. */
export function keepNodes(runNo: number, { nodes, resetNodes = [] }: RunCommit, seq: number): Statement[] {
  const keep = ({ nodeId, iteration }: Address) => [seq, runNo, nodeId, iteration];
  const statements: Statement[] = resetNodes.map((node) => ({ sql: KEEP_ENDED, params: keep(node) }));
  for (const node of nodes) {
    if (!mayHaveEnded(node)) continue;
    statements.push({ sql: KEEP_OTHER, params: [...keep(node), node.state, node.lastAttempt] });
  }
  return statements;
}

/** Most rows are of a node's first attempt, and replace nothing that had ended: they cost no look at the database. */
function mayHaveEnded({ lastAttempt, state }: NodeRow): boolean {
  return lastAttempt > 1 || (lastAttempt === 1 && state !== "in-progress" && !isTerminalNode(state));
}

/** The rows that a commit removes. Only the holder of the run's lease writes them, so it reads them before its commit. */
export function removedRows(
  { lease, removedOutputs }: RunCommit,
  tables: GeneratedTables,
): Query<ReplacedRow[]>[] {
  return removedOutputs.flatMap(({ outputKey, nodeId, iteration }) =>
    tables.output(outputKey).map((table) => table.stored(lease.runId, { nodeId, iteration })),
  );
}

const KEEP_OUTPUT = insertSql(outputHistoryTable);

export function keepOutput(runNo: number, row: ReplacedRow, untilSeq: number): Statement {
  return { sql: KEEP_OUTPUT, params: outputHistoryTable.writeOf(runNo, { ...row, untilSeq }), isRow: true };
}
