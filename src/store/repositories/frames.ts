import type { ChainedSnapshot, FrameRange, FrameRow, FrameWrite } from "../frame-contract.js";
import { frameTable, snapshotTable, storedFrameTable } from "../engine-tables/frames.js";
import { boundOf, PLACES_OF_RUN, placeOf } from "../engine-tables/places.js";
import type { Query, Statement } from "../sql-port.js";
import { FIRST_PLACE, insertSql } from "./rows.js";

const INSERT = insertSql(storedFrameTable);

/** `seq` is the newest event of its commit. */
export function insertFrame(runNo: number, frame: FrameWrite, seq: number | null): Statement {
  const { frameNo, createdAtMs, reason, nodeId, iteration, snapshotFrameNo, snapshot } = frame;
  const { encoding = null, json = null } = snapshot ?? {};
  const place = placeOf(runNo, frameNo);
  const row = {
    place,
    frameNo,
    createdAtMs,
    reason,
    nodeId,
    iteration,
    seq,
    snapshotFrameNo,
    encoding,
    json,
  };
  return { sql: INSERT, params: storedFrameTable.writeOf(runNo, row), isRow: true };
}

/** Newest first. */
export function listFrames(
  runId: string,
  { afterFrameNo = -1, beforeFrameNo = PLACES_OF_RUN, limit }: FrameRange,
): Query<FrameRow[]> {
  return {
    sql: `SELECT ${frameTable.names()} FROM _service_frames
      WHERE place > ${FIRST_PLACE} + ? AND place < ${FIRST_PLACE} + ? ORDER BY place DESC LIMIT ?`,
    params: [runId, boundOf(afterFrameNo), runId, boundOf(beforeFrameNo), limit],
    read: (rows) => frameTable.all(rows, runId),
  };
}

/** Whether the run has a frame with this number. */
export function hasFrame(runId: string, frameNo: number): Query<boolean> {
  return {
    sql: `SELECT 1 FROM _service_frames WHERE place = ${FIRST_PLACE} + ?`,
    params: [runId, boundOf(frameNo)],
    read: (rows) => rows.length > 0,
  };
}

/** The newest keyframe up to a frame and the deltas since, oldest first. */
export function snapshotChain(runId: string, frameNo: number): Query<ChainedSnapshot[]> {
  const newest = boundOf(frameNo);
  return {
    sql: `SELECT ${snapshotTable.names()} FROM _service_frames
      WHERE place <= ${FIRST_PLACE} + ? AND encoding IS NOT NULL AND place >= coalesce((
        SELECT max(place) FROM _service_frames
        WHERE place >= ${FIRST_PLACE} AND place <= ${FIRST_PLACE} + ? AND encoding = 'keyframe'), ${FIRST_PLACE})
      ORDER BY place`,
    params: [runId, newest, runId, runId, newest, runId],
    read: (rows) => snapshotTable.all(rows, runId),
  };
}
