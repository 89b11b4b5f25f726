import { elementSource } from "../../../jsx-runtime/element-source.js";
import type { KnownErrorCode } from "../../errors/codes.js";
import type { TaskKey } from "../../model/address.js";
import { keptError } from "../attempt/without-secrets.js";
import type { SerializedError } from "../../errors/ensure-error.js";
import type { RunStatus, RunSummary } from "../../model/run.js";
import type { ContinuationRequest, Disposition, Scheduler, SchedulerView } from "../../scheduler/index.js";
import type { CommitBuilder } from "../turn/commit.js";
import { type ContinuingRun, type NextRun, nextRun } from "../continuation/next-run.js";

/** The part of a session that says how a run ends. */
export interface EndingRun extends ContinuingRun {
  readonly scheduler: Scheduler;
  /** When it first started, epoch ms. */
  readonly startedAtMs: number;
  status: RunStatus;
  /** Set by a continuation. */
  nextRunId: string | null;
  /** Set by a failure. */
  error: SerializedError | null;
}

/** Adds to the turn's commit what its outcome means for the run row. */
export function recordDisposition(run: EndingRun, commit: CommitBuilder, stand: Disposition): void {
  switch (stand.kind) {
    case "active":
    case "start":
    case "render":
      return changeStatus(run, commit, "running");
    case "waiting":
      return changeStatus(run, commit, stand.status);
    case "finished": {
      const summary = summaryOf(run.state);
      end(run, commit, "finished");
      if (summary !== null) commit.run.summary = summary;
      commit.event({
        type: "RunFinished",
        ...(summary?.failedChildKeys !== undefined && {
          failedChildren: summary.failedChildKeys.length,
          failedChildKeys: summary.failedChildKeys,
        }),
        ...(summary?.exhaustedLoops !== undefined && { exhaustedLoops: summary.exhaustedLoops }),
      });
      return;
    }
    case "failed":
      return fail(run, commit, withStuckPlace(stand.failure.error, run.state));
    case "cancelled":
      end(run, commit, "cancelled");
      commit.event({
        type: "RunCancelled",
        ...(stand.reason !== undefined && { reason: stand.reason }),
        ...(stand.requestedBy !== undefined && { requestedBy: stand.requestedBy }),
      });
      return;
    case "continued":
      return continueAsNew(run, commit, stand.continuation);
    default:
      stand satisfies never;
  }
}

function fail(run: EndingRun, commit: CommitBuilder, error: SerializedError): void {
  end(run, commit, "failed");
  run.error = error;
  commit.run.summary = summaryOf(run.state);
  commit.fail(error);
}

function changeStatus(run: EndingRun, commit: CommitBuilder, status: RunStatus): void {
  if (run.status === status) return;
  run.status = status;
  commit.run.status = status;
  commit.event({ type: "RunStatusChanged", status });
}

function end(run: EndingRun, commit: CommitBuilder, status: RunStatus, continuesAs?: string): void {
  run.status = status;
  commit.run.status = status;
  // The clock may have been set back since.
  commit.run.finishedAtMs = Math.max(commit.now, run.startedAtMs);
  const ended = { type: "ended", ...(continuesAs !== undefined && { continuesAs }) } as const;
  commit.add(run.scheduler.step(ended, commit.now));
}

/** Facts that a reader of an ended run must not overlook: failures it survived, loops that gave up. */
export function summaryOf(state: SchedulerView): RunSummary | null {
  const failedChildKeys = [...state.nodes.values()]
    .filter((node) => node.row.state === "failed")
    .map((node) => node.key)
    // A resumed run knows its nodes in another order than the one that began it.
    .sort();
  const exhaustedLoops = [...state.exhausted];
  if (failedChildKeys.length === 0 && exhaustedLoops.length === 0) return null;
  return {
    ...(failedChildKeys.length > 0 && { failedChildKeys }),
    ...(exhaustedLoops.length > 0 && { exhaustedLoops }),
  };
}

/** Ends the run and creates the next one in the same commit: there is never both, or neither. */
function continueAsNew(run: EndingRun, commit: CommitBuilder, request: ContinuationRequest): void {
  let next: NextRun;
  try {
    next = nextRun(run, request, commit.now);
  } catch (error) {
    return fail(run, commit, keptError(error, run.config));
  }
  run.nextRunId = next.run.runId;
  end(run, commit, "continued", next.run.runId);
  commit.run.nextRunId = next.run.runId;
  commit.newRuns.push(next.run);
  commit.event({
    type: "RunContinuedAsNew",
    newRunId: next.run.runId,
    iteration: request.iteration,
    carriedStateSize: next.stateSize,
    ancestryDepth: next.depth,
  });
}

/** A plan's error stands in its elements, not in code that a stack could name. */
const OF_PLANS: readonly (string | undefined)[] = [
  "SCHEDULER_ERROR",
  "TASK_FORK_SOURCE_NOT_FOUND",
  "TASK_FORK_SOURCE_NOT_COMPLETE",
  "TASK_FORK_CYCLE",
] satisfies KnownErrorCode[];

/** A scheduler's error with file and line of the first task that it names, where the compiler reports them. */
function withStuckPlace(error: SerializedError, state: SchedulerView): SerializedError {
  if (!OF_PLANS.includes(error.code)) return error;
  const { stuck = {}, nodeIds = [], nodeId = nodeIds[0] ?? "" } = (error.details ?? {}) as PlanDetails;
  const [key = state.latest.get(nodeId)] = Object.keys(stuck) as TaskKey[];
  const task = key === undefined ? null : (state.nodes.get(key)?.task ?? null);
  const source = task === null ? undefined : elementSource(task);
  return source === undefined ? error : { ...error, details: { ...error.details, ...source } };
}

interface PlanDetails {
  stuck?: object;
  nodeIds?: readonly string[];
  nodeId?: string;
}
