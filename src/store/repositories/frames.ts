import type { ChainedSnapshot, FrameRange, FrameRow, FrameWrite } from "../frame-contract.js";
import { frameTable, snapshotTable, storedFrameTable } from "../engine-tables/frames.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { insertSql, RUN_NO } from "./rows.js";

const INSERT = insertSql(storedFrameTable);

/** `seq` is the newest event of its commit. */
export function insertFrame(runNo: number, frame: FrameWrite, seq: number | null): Statement {
  const { frameNo, createdAtMs, reason, nodeId, iteration, snapshotFrameNo, snapshot } = frame;
  const { encoding = null, json = null } = snapshot ?? {};
  const row = { frameNo, createdAtMs, reason, nodeId, iteration, seq, snapshotFrameNo, encoding, json };
  return { sql: INSERT, params: storedFrameTable.writeOf(runNo, row), isRow: true };
}

/** Newest first. */
export function listFrames(
  runId: string,
  { afterFrameNo, beforeFrameNo, limit }: FrameRange,
): Query<FrameRow[]> {
  const params: SqlValue[] = [runId];
  let where = "";
  if (afterFrameNo !== undefined) {
    where += " AND frame_no > ?";
    params.push(afterFrameNo);
  }
  if (beforeFrameNo !== undefined) {
    where += " AND frame_no < ?";
    params.push(beforeFrameNo);
  }
  return {
    sql: `SELECT ${frameTable.names()}
      FROM _service_frames WHERE run_no = ${RUN_NO}${where} ORDER BY frame_no DESC LIMIT ?`,
    params: [...params, limit],
    read: (rows) => frameTable.all(rows, runId),
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
    sql: `SELECT ${snapshotTable.names()} FROM _service_frames
      WHERE run_no = ${RUN_NO} AND frame_no <= ? AND encoding IS NOT NULL AND frame_no >= coalesce((
        SELECT max(frame_no) FROM _service_frames
        WHERE run_no = ${RUN_NO} AND frame_no <= ? AND encoding = 'keyframe'), 0)
      ORDER BY frame_no`,
    params: [runId, frameNo, runId, frameNo],
    read: (rows) => snapshotTable.all(rows, runId),
  };
}
