import type { FrameRow, FrameWrite, StoredSnapshot } from "../contract.js";
import type { Query, SqlRow, SqlValue, Statement } from "../sql-port.js";
import { count, instant, oneOf, orNull, text } from "./cells.js";
import { each, RUN_NO } from "./rows.js";

const INSERT_FRAME = `INSERT INTO _service_frames (run_no, frame_no, created_at_ms, reason, node_id, iteration)
  VALUES (?, ?, ?, ?, ?, ?)`;
const INSERT_SNAPSHOT = `INSERT INTO _service_snapshots (run_no, frame_no, encoding, snapshot_json) VALUES (?, ?, ?, ?)`;

export function insertFrame(runNo: number, frame: FrameWrite): Statement[] {
  const { frameNo, snapshot } = frame;
  const statements: Statement[] = [
    {
      sql: INSERT_FRAME,
      params: [runNo, frameNo, frame.createdAtMs, frame.reason, frame.nodeId, frame.iteration],
    },
  ];
  if (snapshot !== undefined) {
    statements.push({ sql: INSERT_SNAPSHOT, params: [runNo, frameNo, snapshot.encoding, snapshot.json] });
  }
  return statements;
}

/** Newest first. */
export function listFrames(
  runId: string,
  query: { afterFrameNo?: number; limit: number },
): Query<FrameRow[]> {
  const params: SqlValue[] = [runId];
  let where = "";
  if (query.afterFrameNo !== undefined) {
    where = " AND f.frame_no > ?";
    params.push(query.afterFrameNo);
  }
  return {
    sql: `SELECT f.frame_no, f.created_at_ms, f.reason, f.node_id, f.iteration,
        (SELECT max(s.frame_no) FROM _service_snapshots s WHERE s.run_no = f.run_no AND s.frame_no <= f.frame_no)
      FROM _service_frames f WHERE f.run_no = ${RUN_NO}${where} ORDER BY f.frame_no DESC LIMIT ?`,
    params: [...params, query.limit],
    read: each("_service_frames", toFrame),
  };
}

function toFrame(row: SqlRow): FrameRow {
  return {
    frameNo: count(row[0]),
    createdAtMs: instant(row[1]),
    reason: text(row[2]),
    nodeId: orNull(text, row[3]),
    iteration: orNull(count, row[4]),
    snapshotFrameNo: orNull(count, row[5]) as number,
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
export function snapshotChain(runId: string, frameNo: number): Query<StoredSnapshot[]> {
  return {
    sql: `SELECT encoding, snapshot_json FROM _service_snapshots
      WHERE run_no = ${RUN_NO} AND frame_no <= ? AND frame_no >= coalesce((
        SELECT max(frame_no) FROM _service_snapshots
        WHERE run_no = ${RUN_NO} AND frame_no <= ? AND encoding = 'keyframe'), 0)
      ORDER BY frame_no`,
    params: [runId, frameNo, runId, frameNo],
    read: each("_service_snapshots", ([encoding, json]) => ({
      encoding: oneOf(["keyframe", "delta"], encoding),
      json: text(json),
    })),
  };
}
