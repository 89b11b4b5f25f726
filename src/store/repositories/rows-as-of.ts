import type { NodeRow } from "../../model/node.js";
import type { OutputRow } from "../../model/schema.js";
import type { RowsAsOf } from "../frame-contract.js";
import { frameTable } from "../engine-tables/frames.js";
import { count, nullable } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import {
  nodeHistoryTable,
  outputHistoryTable,
  type ReplacedOutput,
  type ReplacedRow,
} from "../engine-tables/history.js";
import { nodeTable } from "../engine-tables/nodes.js";
import { boundOf } from "../engine-tables/places.js";
import type { Query, SqlRow } from "../sql-port.js";
import { listControls } from "./controls.js";
import type { GeneratedTables } from "./generated-tables.js";
import { ENDED } from "./history.js";
import type { OutputTableSql } from "./outputs.js";
import { FIRST_PLACE, RUN_NO } from "./rows.js";

/** The event that the frame stands at. Parameters: run and frame. */
const AT = `(SELECT f.seq FROM _service_frames f WHERE f.place = ${FIRST_PLACE} + ?)`;

const frames = frameTable.pick("frameNo", "seq");

/** The reads that give back what was stored when a frame was committed; they must all see the same moment. */
export class RowsAsOfReader {
  readonly #runId: string;
  readonly #tables: readonly OutputTableSql[];
  readonly #parts;

  constructor(runId: string, frameNo: number, { outputs }: Pick<GeneratedTables, "outputs">) {
    const at = boundOf(frameNo);
    this.#runId = runId;
    this.#tables = outputs;
    this.#parts = {
      frame: frameAt(runId, at),
      nodes: endedNodes(runId, at),
      controls: listControls(runId, { sql: ` AND since_seq <= ${AT}`, params: [runId, at] }),
      removed: removedSince(runId, at),
    };
  }

  get queries(): Pick<Query<unknown>, "sql" | "params">[] {
    return [...Object.values(this.#parts), ...this.#tables.map((table) => table.scan(this.#runId))];
  }

  /** From the rows of `queries`, in the same order; undefined without such a frame, or where its event is not known. */
  read([frame, nodes, controls, removed, ...rows]: readonly SqlRow[][]): RowsAsOf | undefined {
    const seq = this.#parts.frame.read(frame ?? []);
    if (seq === undefined) return undefined;
    const ended = this.#parts.nodes.read(nodes ?? []);
    const outputs = this.#outputs(ended, this.#parts.removed.read(removed ?? []), rows);
    return {
      nodes: ended.map(({ node }) => node),
      controls: this.#parts.controls.read(controls ?? []),
      outputs: outputs.map(({ outputKey, row }) => ({ outputKey, row })),
      stored: outputs.map(({ stored }) => stored),
      seq,
    };
  }

  /** The row of a node that was opened again since went with it; what is there now is of a later attempt. */
  #outputs(
    nodes: readonly EndedNode[],
    removed: readonly ReplacedOutput[],
    rows: readonly SqlRow[][],
  ): OutputAsOf[] {
    const found = new Map<string, OutputAsOf>();
    for (const [index, table] of this.#tables.entries()) {
      const { outputKey, tableName } = table.layout;
      const add = (untilSeq: number | null, row: OutputRow, stored: ReplacedRow) =>
        found.set(placeOf(row, outputKey, untilSeq), { outputKey, row, stored });
      for (const values of rows[index] ?? []) {
        add(null, table.toRow(this.#runId, values), table.toStored(values));
      }
      for (const row of removed) {
        if (row.tableName === tableName) add(row.untilSeq, table.fromStored(this.#runId, row), row);
      }
    }
    return nodes
      .toSorted((a, b) => (a.node.finishedSeq ?? -1) - (b.node.finishedSeq ?? -1))
      .flatMap(({ node, untilSeq }) => found.get(placeOf(node, node.outputKey, untilSeq)) ?? []);
  }
}

type OutputAsOf = RowsAsOf["outputs"][number] & { stored: ReplacedRow };

/** A node as it was, and the event of the commit that opened it again; null for one that has not been since. */
interface EndedNode {
  node: NodeRow;
  untilSeq: number | null;
}

function placeOf(
  { nodeId, iteration }: Pick<NodeRow, "nodeId" | "iteration">,
  outputKey: string,
  untilSeq: number | null,
): string {
  return [nodeId, iteration, outputKey, untilSeq].join("\0");
}

function frameAt(runId: string, frameNo: number): Query<number | undefined> {
  return {
    sql: `SELECT ${frames.names()} FROM _service_frames WHERE place = ${FIRST_PLACE} + ?`,
    params: [runId, frameNo],
    read: (rows) => frames.first(rows, runId)?.seq ?? undefined,
  };
}

const endedNodeTable = new RowTable<NodeRow & { untilSeq: number | null }>({
  ...nodeHistoryTable,
  key: ["nodeId", "iteration"],
  columns: { ...nodeTable.columns, untilSeq: nullable(count("until_seq")) },
});

function endedNodes(runId: string, frameNo: number): Query<EndedNode[]> {
  const at = [runId, frameNo];
  return {
    sql: `SELECT ${nodeTable.names()}, until_seq FROM _service_node_history
        WHERE run_no = ${RUN_NO} AND until_seq > ${AT} AND coalesce(since_seq, 0) <= ${AT}
      UNION ALL SELECT ${nodeTable.names()}, NULL FROM _service_nodes
        WHERE run_no = ${RUN_NO} AND ${ENDED} AND coalesce(state_seq, 0) <= ${AT}
      ORDER BY node_id, iteration`,
    params: [runId, ...at, ...at, runId, ...at],
    read: (rows) =>
      endedNodeTable.all(rows, runId).flatMap(({ untilSeq, ...node }) => {
        const hasBegun = node.state !== "cancelled" || node.lastAttempt > 0;
        return hasBegun ? [{ node, untilSeq }] : [];
      }),
  };
}

function removedSince(runId: string, frameNo: number): Query<ReplacedOutput[]> {
  return {
    sql: `SELECT ${outputHistoryTable.names()} FROM _service_output_history
      WHERE run_no = ${RUN_NO} AND until_seq > ${AT}`,
    params: [runId, runId, frameNo],
    read: (rows) => outputHistoryTable.all(rows, runId),
  };
}
