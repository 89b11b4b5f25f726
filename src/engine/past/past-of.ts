import { ServiceError } from "../../errors/service-error.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { RunRow } from "../../model/run.js";
import type { RunSnapshot, Store } from "../../store/index.js";
import { decisionsAsOf } from "./decisions-as-of.js";
import { type Signal, signalsAsOf } from "./signals-as-of.js";

type RowsAsOf = NonNullable<Awaited<ReturnType<Store["rowsAsOf"]>>>;

/** A run as it was when a frame was committed. What was under way then has no row in it: it starts anew. */
export interface Past {
  readonly frameNo: number;
  /** Nothing was rendered since. */
  readonly isNewest: boolean;
  readonly rows: RowsAsOf;
  /** Decisions that people and rules had made by then. */
  readonly approvals: readonly ApprovalRow[];
  /** Signals that had come by then and that no node had taken up. */
  readonly signals: readonly Signal[];
  /** The rows as those of a run that is read now, with the frame as its newest. */
  readonly runSnapshot: RunSnapshot;
}

/** @throws SNAPSHOT_NOT_FOUND when there is no such frame, or its place in the log is not known */
export async function pastOf(store: Store, run: RunRow, frameNo: number): Promise<Past> {
  const { runId } = run;
  const rows = await store.rowsAsOf(runId, frameNo);
  if (rows === undefined) throw noSuchFrame(run, frameNo);
  const shownFrameNo = await newestAt(store, run, rows.seq);
  const approvals = await decisionsAsOf(store, runId, rows.seq);
  const signals = await signalsAsOf(store, runId, rows.seq);
  const runSnapshot: RunSnapshot = {
    run,
    input: {},
    nodes: rows.nodes,
    openAttempts: [],
    controls: rows.controls,
    outputs: rows.outputs,
    approvals: [...approvals],
    intents: [],
    usage: [],
    pendingScores: [],
    lastSnapshot: (await store.snapshotChain(runId, shownFrameNo)) ?? [],
    loaded: null,
  };
  return { frameNo, isNewest: shownFrameNo === run.frameNo, rows, approvals, signals, runSnapshot };
}

/** One commit may have several frames: its rows are what the last of them shows. */
async function newestAt(store: Store, { runId, frameNo: newest }: RunRow, seq: number): Promise<number> {
  const [last] = await store.listEvents(runId, {
    types: ["FrameCommitted"],
    beforeSeq: seq + 1,
    descending: true,
    limit: 1,
  });
  return last?.event.type === "FrameCommitted" ? last.event.frameNo : newest;
}

function noSuchFrame({ runId, frameNo: newest, nextSeq }: RunRow, frameNo: number): ServiceError {
  const there = nextSeq === 0 ? "It has none yet" : `Its newest is ${newest}`;
  return new ServiceError(
    "SNAPSHOT_NOT_FOUND",
    `Run ${runId} has no frame ${frameNo} whose rows are known. ${there}; listFrames lists them.`,
    { details: { runId, frameNo } },
  );
}
