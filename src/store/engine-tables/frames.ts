import type { ChainedSnapshot, FrameRow } from "../frame-contract.js";
import { count, instant, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";

export const frameTable = new RowTable<Omit<FrameRow, "snapshotFrameNo">>({
  name: "_service_frames",
  key: ["frameNo"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    frameNo: count("frame_no"),
    createdAtMs: instant("created_at_ms"),
    reason: text("reason"),
    nodeId: nullable(text("node_id")),
    iteration: nullable(count("iteration")),
    seq: nullable(count("seq")),
  },
});

/** Only frames whose picture changed have a row here; the others show the latest one before them. */
export const snapshotTable = new RowTable<ChainedSnapshot>({
  name: "_service_snapshots",
  key: ["frameNo"],
  ofRun: true,
  columns: {
    frameNo: count("frame_no"),
    encoding: oneOf("encoding", ["keyframe", "delta"]),
    // Read where the chain is put together: no reader parses a large frame twice.
    json: text("snapshot_json"),
  },
});
