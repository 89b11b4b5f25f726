import type { ChainedSnapshot, FrameRange, FrameRow, FrameWrite, StoredSnapshot } from "../frame-contract.js";
import { count } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { frameTable, snapshotTable } from "../engine-tables/frames.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { insertSql, RUN_NO } from "./rows.js";

const INSERT_FRAME = insertSql(frameTable);
const INSERT_SNAPSHOT = insertSql(snapshotTable);

/** `seq` is the newest event of its commit. */
export function insertFrame(runNo: number, frame: FrameWrite, seq: number | null): Statement {
  return { sql: INSERT_FRAME, params: frameTable.writeOf(runNo, { ...frame, seq }), isRow: true };
}

export function insertSnapshot(runNo: number, frameNo: number, snapshot: StoredSnapshot): Statement {
  const row = { frameNo, encoding: snapshot.encoding, json: snapshot.json };
  return { sql: INSERT_SNAPSHOT, params: snapshotTable.writeOf(runNo, row), isRow: true };
}

/** A frame with the number of the one whose snapshot it shows. */
const shownFrames = new RowTable<FrameRow>({
  ...frameTable,
  key: ["frameNo"],
  columns: {
    ...frameTable.columns,
    snapshotFrameNo: count(
      "(SELECT max(s.frame_no) FROM _service_snapshots s WHERE s.run_no = f.run_no AND s.frame_no <= f.frame_no)",
    ),
  },
});

/** Newest first. */
export function listFrames(
  runId: string,
  { afterFrameNo, beforeFrameNo, limit }: FrameRange,
): Query<FrameRow[]> {
  const params: SqlValue[] = [runId];
  let where = "";
  if (afterFrameNo !== undefined) {
    where += " AND f.frame_no > ?";
    params.push(afterFrameNo);
  }
  if (beforeFrameNo !== undefined) {
    where += " AND f.frame_no < ?";
    params.push(beforeFrameNo);
  }
  return {
    sql: `SELECT ${shownFrames.names()}
      FROM _service_frames f WHERE f.run_no = ${RUN_NO}${where} ORDER BY f.frame_no DESC LIMIT ?`,
    params: [...params, limit],
    read: (rows) => shownFrames.all(rows, runId),
  };
}

/** Whether the run has a frame with this number. */
export function hasFrame(runId: string, frameNo: number): Query<boolean> {
  return {
    sql: `SELECT 1 FROM _service_frames WHERE run_no = ${RUN_NO} AND frame_no = ?`,
    params: [runId, frameNo],
    read: (rows) => rows.length > 0,
  };
}

/** The newest keyframe up to a frame and the deltas since, oldest first. */
export function snapshotChain(runId: string, frameNo: number): Query<ChainedSnapshot[]> {
  return {
    sql: `SELECT ${snapshotTable.names()} FROM _service_snapshots
      WHERE run_no = ${RUN_NO} AND frame_no <= ? AND frame_no >= coalesce((
        SELECT max(frame_no) FROM _service_snapshots
        WHERE run_no = ${RUN_NO} AND frame_no <= ? AND encoding = 'keyframe'), 0)
      ORDER BY frame_no`,
    params: [runId, frameNo, runId, frameNo],
    read: (rows) => snapshotTable.all(rows, runId),
  };
}
