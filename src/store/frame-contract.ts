import type { NodeRow } from "../model/node.js";
import type { StoredControl } from "../model/plan.js";
import type { OutputRow } from "../model/schema.js";
import type { ReplacedRow as StoredOutput } from "./engine-tables/history.js";

export interface FrameWrite {
  frameNo: number;
  createdAtMs: number;
  reason: string;
  nodeId: string | null;
  iteration: number | null;
  /** Absent = the same snapshot as the frame before; nothing is stored twice. */
  snapshot?: StoredSnapshot;
  /** Number of the frame whose snapshot this frame shows: its own where it has one. */
  snapshotFrameNo: number;
}

export interface StoredSnapshot {
  encoding: "keyframe" | "delta";
  /** JSON text, see graph/frame-delta. */
  json: string;
}

/** A snapshot as a row: with the number of its frame. */
export interface ChainedSnapshot extends StoredSnapshot {
  frameNo: number;
}

/** Which frames of a run: the newest so many of those between two numbers, which do not belong to them. */
export interface FrameRange {
  afterFrameNo?: number;
  beforeFrameNo?: number;
  limit: number;
}

export interface FrameRow {
  frameNo: number;
  createdAtMs: number;
  reason: string;
  nodeId: string | null;
  iteration: number | null;
  /** Newest event of the commit that wrote it: what is numbered higher came later. Null where the log does not name the frame. */
  seq: number | null;
  /** Number of the frame whose snapshot this frame shows. */
  snapshotFrameNo: number;
}

/** The rows of a run when a frame was committed. */
export interface RowsAsOf {
  /** Nodes that had ended by then, by id and iteration. Those that left the tree before they began have not. */
  nodes: NodeRow[];
  controls: StoredControl[];
  /** Rows of those nodes, in the order in which they had finished. */
  outputs: { outputKey: string; row: OutputRow }[];
  /** The same rows in the same order, as their tables hold them: they can be written without their schema. */
  stored: StoredOutput[];
  /** Newest event of the commit that wrote the frame. */
  seq: number;
}
