import { RowTable } from "../columns/row-table.js";
import { storedControlTable } from "../engine-tables/controls.js";
import { frameTable } from "../engine-tables/frames.js";
import { nodeHistoryTable, outputHistoryTable } from "../engine-tables/history.js";
import { storedNodeTable } from "../engine-tables/nodes.js";
import type { Migration } from "./dialect.js";
import { addColumn, tableDdl } from "./table-ddl.js";

const controlHistoryTable = new RowTable({
  ...storedControlTable,
  name: "_service_control_history",
  key: ["kind", "id", "sinceSeq"],
});

/**
 * Rows can be read as of a frame. Of what is there already, the log says since when; what was replaced before is
 * not known any more.
 */
export const history: Migration = {
  version: 12,
  name: "history",
  statements: (words) => [
    ...[nodeHistoryTable, outputHistoryTable, controlHistoryTable].flatMap((table) => tableDdl(table, words)),
    addColumn(frameTable, "seq", words),
    addColumn(storedNodeTable, "state_seq", words),
    `UPDATE _service_frames SET seq = e.seq FROM
      (SELECT run_no, seq, json_extract(payload_json, '$.frameNo') AS frame_no FROM _service_events
        WHERE type = 'FrameCommitted') AS e
      WHERE e.run_no = _service_frames.run_no AND e.frame_no = _service_frames.frame_no`,
    `UPDATE _service_nodes SET state_seq = e.seq FROM
      (SELECT run_no, node_id, iteration, max(seq) AS seq FROM _service_events
        WHERE type IN ('NodeFinished', 'NodeFailed', 'NodeSkipped', 'NodeCancelled')
        GROUP BY run_no, node_id, iteration) AS e
      WHERE e.run_no = _service_nodes.run_no AND e.node_id = _service_nodes.node_id
        AND e.iteration = _service_nodes.iteration`,
    `INSERT INTO _service_control_history (run_no, kind, id, since_seq, state_json)
      SELECT run_no, kind, id, 0, state_json FROM _service_controls`,
  ],
};
