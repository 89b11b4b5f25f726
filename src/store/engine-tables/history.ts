import type { NodeRow } from "../../model/node.js";
import { count, json, nullable, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { recordOf, string } from "../columns/shape.js";
import { nodeTable } from "./nodes.js";

/* Earlier versions of a run's rows. Events number the commits: each row says of which it holds. */

interface ReplacedNode extends NodeRow {
  /** Newest event of the commit that replaced it. */
  untilSeq: number;
  /** As `stateSeq` of the node. */
  sinceSeq: number | null;
}

/** Nodes that had ended and were opened again. */
export const nodeHistoryTable = new RowTable<ReplacedNode>({
  name: "_service_node_history",
  key: ["nodeId", "iteration", "untilSeq"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    nodeId: nodeTable.columns.nodeId,
    iteration: nodeTable.columns.iteration,
    untilSeq: count("until_seq"),
    sinceSeq: nullable(count("since_seq")),
    ...withoutKey(nodeTable.columns),
  },
});

export interface ReplacedOutput {
  nodeId: string;
  iteration: number;
  tableName: string;
  /** Newest event of the commit that removed it. */
  untilSeq: number;
  /** The row's columns that are not NULL, as `packValue` writes them. */
  values: Record<string, string>;
}

/** The kept part of a removed row. */
export type ReplacedRow = Omit<ReplacedOutput, "untilSeq">;

/** Output rows that a reset has removed. */
export const outputHistoryTable = new RowTable<ReplacedOutput>({
  name: "_service_output_history",
  key: ["nodeId", "iteration", "tableName", "untilSeq"],
  ofRun: true,
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    tableName: text("table_name"),
    untilSeq: count("until_seq"),
    values: json("values_json", recordOf(string)),
  },
});

function withoutKey({ nodeId: _nodeId, iteration: _iteration, ...others }: typeof nodeTable.columns) {
  return others;
}
