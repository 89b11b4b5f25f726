import type { ChainedSnapshot, FrameRow } from "../frame-contract.js";
import { count, instant, nullable, oneOf, text, withDefault } from "../columns/column.js";
import { longText } from "../columns/long-text.js";
import { type Columns, RowTable } from "../columns/row-table.js";

const frameColumns: Columns<FrameRow> = {
  frameNo: count("frame_no"),
  createdAtMs: instant("created_at_ms"),
  reason: text("reason"),
  nodeId: nullable(text("node_id")),
  iteration: nullable(count("iteration")),
  seq: nullable(count("seq")),
  snapshotFrameNo: withDefault(count("snapshot_frame_no"), 0),
};

const snapshotColumns: Columns<ChainedSnapshot> = {
  frameNo: frameColumns.frameNo,
  encoding: oneOf("encoding", ["keyframe", "delta"]),
  // Read where the chain is put together: no reader parses a large frame twice.
  json: longText("snapshot_json"),
};

/** A frame as readers see it. */
export const frameTable = new RowTable<FrameRow>({
  name: "_service_frames",
  key: ["frameNo"],
  ofRun: true,
  columns: frameColumns,
});

/** The snapshot of a frame that has one of its own. */
export const snapshotTable = new RowTable<ChainedSnapshot>({
  name: frameTable.name,
  key: ["frameNo"],
  ofRun: true,
  columns: snapshotColumns,
});

export interface StoredFrame extends FrameRow {
  place: number;
  /** Null for a frame that shows the snapshot of an earlier one. */
  encoding: ChainedSnapshot["encoding"] | null;
  json: string | null;
}

/** All that is kept of a frame. */
export const storedFrameTable = new RowTable<StoredFrame>({
  name: frameTable.name,
  key: ["place"],
  ofRun: true,
  storage: { isKeyOfAll: true },
  columns: {
    place: count("place"),
    ...frameColumns,
    encoding: nullable(snapshotColumns.encoding),
    json: nullable(snapshotColumns.json),
  },
});
