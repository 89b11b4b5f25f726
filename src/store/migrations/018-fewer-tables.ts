import { storedFrameTable } from "../engine-tables/frames.js";
import type { Migration } from "./dialect.js";
import { addColumn } from "./table-ddl.js";

const SNAPSHOT = "FROM _service_snapshots s WHERE s.run_no = _service_frames.run_no AND s.frame_no";

/** A frame has its snapshot in its own row, and the present state of a control is the newest of those it has had. */
export const fewerTables: Migration = {
  version: 18,
  name: "fewer tables",
  statements: (words) => [
    ...["snapshot_frame_no", "encoding", "snapshot_json"].map((name) =>
      addColumn(storedFrameTable, name, words),
    ),
    `UPDATE _service_frames SET
      snapshot_frame_no = coalesce((SELECT max(s.frame_no) ${SNAPSHOT} <= _service_frames.frame_no), 0),
      encoding = (SELECT s.encoding ${SNAPSHOT} = _service_frames.frame_no),
      snapshot_json = (SELECT s.snapshot_json ${SNAPSHOT} = _service_frames.frame_no)`,
    "DROP TABLE _service_snapshots",
    "DROP TABLE _service_controls",
    "ALTER TABLE _service_control_history RENAME TO _service_controls",
  ],
};
