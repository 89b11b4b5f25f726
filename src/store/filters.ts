import type { ApprovalRow } from "../model/approval.js";
import type { RunEventType } from "../model/events.js";
import type { RunDecider, RunRow, RunStatus, RunWait } from "../model/run.js";
import type { ScoreAddress, ScoreState } from "../model/scorer.js";

/* Which rows of a list are asked for. */

export interface RunFilter {
  /** @default all */
  statuses?: RunStatus[];
  /** Only those whose status is none that a run has. Each is read as damaged. */
  unknownStatus?: true;
  /** The name on `<Workflow>`. @default all */
  workflowName?: string;
  /** Only child runs of this one. @default all */
  parentRunId?: string;
  /** Only runs that have failed, or of which a task has; also those that ended well all the same. @default all */
  withFailures?: boolean;
  /** Only runs that have not ended and wait for one of these, as a whole or with a task. @default all */
  waitsFor?: RunWait[];
  /** Only runs with a request without an answer that this person may decide. @default all */
  decidableBy?: RunDecider;
  /** Only runs with this text in their id or in a value of their input, the letters A to Z in either case. @default all */
  text?: string;
  /** Only runs that have all of these annotations; `"12"` is `12` as well, and `"true"` is `true`. @default all */
  annotations?: Record<string, string | number | boolean>;
  /** Epoch milliseconds: made at this time, or later. */
  createdAfterMs?: number;
  /** Epoch milliseconds: made before this time. */
  createdBeforeMs?: number;
  /** Epoch milliseconds; runs that have not ended are left out. */
  finishedBeforeMs?: number;
  /** Ids of runs that are left out. */
  except?: readonly string[];
  /** Only those after this one, in the order of the list. */
  after?: RunPosition;
  limit: number;
}

/** Which runs are counted by the time at which they were made. */
export type RunTimeFilter = Pick<
  RunFilter,
  | "statuses"
  | "workflowName"
  | "withFailures"
  | "waitsFor"
  | "decidableBy"
  | "text"
  | "annotations"
  | "createdAfterMs"
  | "createdBeforeMs"
>;

/** Runs of one status that were made in one span of time. */
export interface RunTimeGroup {
  /** Where the span begins, epoch milliseconds. */
  startMs: number;
  status: RunStatus;
  count: number;
}

/** Where a run stands in the list of all. */
export type RunPosition = Pick<RunRow, "createdAtMs" | "runId">;

export interface WakingQuery {
  nowMs: number;
  /** As of RunFilter. */
  except?: readonly string[];
  /** As of RunFilter. */
  after?: RunPosition;
  limit: number;
}

export interface ApprovalFilter {
  runId?: string;
  nodeId?: string;
  workflowName?: string;
  status?: ApprovalRow["status"];
  /** Only those whose status is none that a request has. Each is read as damaged. */
  unknownStatus?: true;
  /** Only those with a decision that waits to be taken up, or only those without. @default all */
  answered?: boolean;
  /** Only those after this one, in the order of the list. */
  after?: ApprovalPosition;
  /** Newest first. @default false */
  descending?: boolean;
  /** Ids of runs whose requests are left out. */
  exceptRuns?: readonly string[];
  limit: number;
}

/** Where a request stands in the list of all: by time, run, node and iteration. */
export type ApprovalPosition = Pick<ApprovalRow, "requestedAtMs" | "runId" | "nodeId" | "iteration">;

export interface EventQuery {
  /** Events with a greater seq. @default all */
  afterSeq?: number;
  /** Events with a smaller seq. @default to the end */
  beforeSeq?: number;
  types?: RunEventType[];
  nodeId?: string;
  limit: number;
  /** Newest first. @default false */
  descending?: boolean;
}

export interface ScoreFilter {
  runId?: string;
  nodeId?: string;
  iteration?: number;
  scorerId?: string;
  state?: ScoreState;
  /** Only those after this one, in the order of the list. */
  after?: ScorePosition;
  limit: number;
}

/** Where a score stands in the list of all. */
export interface ScorePosition extends ScoreAddress {
  sampledAtMs: number;
  runId: string;
}
