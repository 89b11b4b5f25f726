import { HEARTBEAT_MS } from "../engine/index.js";
import { type SerializedError, serializeError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import type { NodeRow, NodeState } from "../model/node.js";
import {
  type ResumeFailure,
  type RunCancellation,
  isTerminal,
  RUN_STATUSES,
  RUN_WAITS,
  type RunRow,
  type RunState,
  type RunStop,
  type RunWait,
} from "../model/run.js";
import type { RunConfig } from "../model/run-config.js";
import type { RunFilter, Store } from "../store/index.js";
import type { Blocker } from "./explain/blocker.js";
import * as rules from "../options/option-rules.js";
import { checkOptions } from "../options/check-options.js";
import { explainWith } from "./explain-run.js";
import { standingRefusal } from "./remedies/standing-refusal.js";
import { requireRun } from "./request/require-run.js";
import { runCursor, runPosition } from "./read/run-cursor.js";
import { type RunRecovery, runRecoveryOf } from "./read/run-recovery.js";
import { runStateOf } from "./read/run-state.js";
import { runCancellationOf, runStopOf } from "./read/run-stop.js";
import { type RunTrigger, runTriggerOf } from "./read/run-trigger.js";
import { decider } from "./request/decider-rule.js";
import { annotations, searchedText } from "./request/run-choice-rules.js";
import { type DamagedRun, damagedRun, readableRows } from "./read/readable-rows.js";
import { type OperationTarget, storeOf } from "./request/target.js";

/** A run as every surface shows it. */
export interface RunView
  extends Omit<RunRow, "config" | "ownerId" | "epoch" | "nextSeq" | "deaths" | "inCompany" | "lostStarts"> {
  /** The status, corrected by whether its owner is alive. */
  runState: RunState;
  /** The owner's last sign of life; null when no process has driven it. */
  lastHeartbeatAtMs: number | null;
  /** As given when it was started; `{}` without. */
  annotations: Record<string, string | number | boolean>;
  /** Key under which the gateway that started it has its workflow; null when none did. */
  workflowKey: string | null;
  /** The run of its chain that it continues; null for one that did not begin so. */
  continuedFrom: string | null;
  /** Number of nodes per state. */
  nodes: Partial<Record<NodeState, number>>;
  /** The task that has waited longest; null where none waits, and in a run that has ended. */
  waiting: WaitingTask | null;
  /** Tokens in and out that its agents and scorers have reported; those of child runs are not among them. */
  tokens: number;
  /** What began it. */
  trigger: RunTrigger;
  /** Why it could not be continued the last time; null when it could, it was not tried, or the run has ended since. */
  resumeFailure: ResumeFailure | null;
  /** Who stopped a run whose `runState` is `stopped`; null for all others, and where its owner left no word. */
  stopped: RunStop | null;
  /** Who cancelled it, and why; null for all others, and where its log does not say so. */
  cancelled: RunCancellation | null;
  /** The run and the frame that it was made of, and the name that it was given as a fork; null for all others. */
  forkedFrom: ForkSource | null;
  /** Of a run whose process has died: what supervisors, gateways and servers wait for before they take it up; null = nothing. */
  recovery: RunRecovery | null;
  /** Rows of the run cannot be read: what they would tell is missing here. Absent where all is well. */
  damage?: SerializedError;
}

/** What a fork was made of. */
export interface ForkSource {
  runId: string;
  frameNo: number;
  /** The fork's own name; null without. */
  label: string | null;
}

/** A task that waits, as lists of runs name it. */
export interface WaitingTask extends Pick<NodeRow, "nodeId" | "iteration" | "label"> {
  /** What it waits for. */
  wait: RunWait;
  /** Since when, epoch milliseconds. */
  sinceMs: number;
  /** When it waits no more, whatever comes, epoch milliseconds; null: not known. */
  dueAtMs: number | null;
}

/** One run, with what keeps it from continuing. */
export interface RunDetail extends RunView {
  /** As of `explainRun`. */
  blockers: Blocker[];
}

/** One run with its state, blockers and node counts. @throws RUN_NOT_FOUND */
export async function getRun(target: OperationTarget, runId: string): Promise<RunDetail> {
  const store = await storeOf(target);
  return toRunDetail(store, await requireRun(store, runId), store.clock.now());
}

/** As `getRun`, of a run as it has just been read. */
export async function toRunDetail(store: Store, run: RunRow, now: number): Promise<RunDetail> {
  const { blockers } = await explainWith(store, run, now);
  return Object.assign(await toRunView(store, run, now), { blockers });
}

/** Which runs to list; a run is listed when all that is given holds. */
export interface RunListFilter
  extends Partial<Omit<RunFilter, "limit" | "except" | "unknownStatus" | "after">> {
  /** Created at least this long ago by the clock of the database, milliseconds: of a server, whatever this machine's says. */
  olderThanMs?: number;
  /** `nextCursor` of the page before. @default the first page */
  cursor?: string;
  /** Runs of a page, at most 500. @default 50 */
  limit?: number;
}

/** A page of runs, newest first. */
export interface RunList {
  /** Newest first, at most `limit`. */
  runs: RunView[];
  /** Pass as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
  /** Runs of this page whose own rows cannot be read. Absent where all is well. */
  damaged?: DamagedRun[];
}

const LARGEST_PAGE = 500;

const RULES = {
  statuses: rules.someOf(RUN_STATUSES),
  workflowName: rules.name,
  parentRunId: rules.name,
  withFailures: rules.flag,
  waitsFor: rules.someOf(RUN_WAITS),
  decidableBy: decider,
  text: searchedText,
  annotations,
  createdAfterMs: rules.milliseconds,
  createdBeforeMs: rules.milliseconds,
  finishedBeforeMs: rules.milliseconds,
  olderThanMs: rules.milliseconds,
  cursor: rules.text,
  limit: rules.withDefault(rules.positiveInteger, 50),
} satisfies rules.OptionRules<RunListFilter>;

/** Runs, newest first. @throws INVALID_INPUT for a filter that is unknown or not as described */
export async function listRuns(target: OperationTarget, filter: RunListFilter = {}): Promise<RunList> {
  const { statuses, olderThanMs, cursor, limit: wanted, ...given } = checkOptions("listRuns", filter, RULES);
  const store = await storeOf(target);
  const others = { ...given, ...createdBefore(given, store.clock.now(), olderThanMs) };
  const limit = Math.min(wanted, LARGEST_PAGE);
  const damaged: DamagedRun[] = [];
  const after = cursor === undefined ? {} : { after: runPosition(cursor) };
  const readable = (chosen: Partial<RunFilter>) =>
    readableRows(
      (except) => store.listRuns({ ...others, ...after, ...chosen, limit: limit + 1, except }),
      (runId, error) => damaged.push(damagedRun(runId, error)),
    );
  const rows = await readable(statuses === undefined ? {} : { statuses });
  // It is unknown whether these are among those that are asked for.
  if (statuses !== undefined && cursor === undefined) await readable({ unknownStatus: true });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const now = store.clock.now();
  return {
    runs: await Promise.all(page.map((run) => listedRun(store, run, now))),
    nextCursor: rows.length > limit && last !== undefined ? runCursor(last) : null,
    ...(damaged.length > 0 && { damaged }),
  };
}

/** What is old enough was made before both times. */
function createdBefore(
  { createdBeforeMs = Number.POSITIVE_INFINITY }: Pick<RunListFilter, "createdBeforeMs">,
  nowMs: number,
  olderThanMs: number | undefined,
): Pick<RunListFilter, "createdBeforeMs"> {
  return olderThanMs === undefined ? {} : { createdBeforeMs: Math.min(createdBeforeMs, nowMs - olderThanMs) };
}

/** Damage to the rows of one run does not hide the others. */
async function listedRun(store: Store, run: RunRow, now: number): Promise<RunView> {
  try {
    return await toRunView(store, run, now);
  } catch (error) {
    if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
    const damage = serializeError(error);
    return {
      ...shownOf(run, now),
      nodes: {},
      waiting: null,
      tokens: 0,
      resumeFailure: null,
      stopped: null,
      cancelled: null,
      continuedFrom: null,
      damage,
    };
  }
}

/** A stored run as it is shown. */
export async function toRunView(store: Store, run: RunRow, now: number): Promise<RunView> {
  const shown = shownOf(run, now);
  return Object.assign(shown, {
    continuedFrom: await predecessorOf(store, run),
    nodes: await store.countNodes(run.runId),
    waiting: isTerminal(run.status) ? null : await waitingTask(store, run.runId),
    tokens: await store.usedTokens(run.runId),
    resumeFailure: await standingRefusal(store, run),
    stopped: shown.runState === "stopped" ? await runStopOf(store, run.runId) : null,
    cancelled: run.status === "cancelled" ? await runCancellationOf(store, run.runId) : null,
  });
}

async function waitingTask(store: Store, runId: string): Promise<WaitingTask | null> {
  const node = await store.longestWaiting(runId);
  if (node === undefined) return null;
  const { nodeId, iteration, label, state, waitingSinceMs, updatedAtMs, dueAtMs } = node;
  const wait = state.replace("waiting-", "") as RunWait;
  return { nodeId, iteration, label, wait, sinceMs: waitingSinceMs ?? updatedAtMs, dueAtMs };
}

/** The parent of a run that continues it; child runs have parents as well. */
async function predecessorOf(store: Store, { runId, parentRunId }: RunRow): Promise<string | null> {
  const parent = parentRunId === null ? undefined : await store.getRun(parentRunId);
  return parent?.nextRunId === runId ? parent.runId : null;
}

/** Members that come from other rows. */
type Looked = "nodes" | "waiting" | "tokens" | "resumeFailure" | "stopped" | "cancelled" | "continuedFrom";

/** The view's part that comes from the run's own row. */
function shownOf(run: RunRow, now: number): Omit<RunView, Looked> {
  const { config } = run;
  return {
    runId: run.runId,
    parentRunId: run.parentRunId,
    workflowName: run.workflowName,
    workflowPath: run.workflowPath,
    workflowHash: run.workflowHash,
    status: run.status,
    createdAtMs: run.createdAtMs,
    startedAtMs: run.startedAtMs,
    finishedAtMs: run.finishedAtMs,
    heartbeatAtMs: run.heartbeatAtMs,
    frameNo: run.frameNo,
    nextRunId: run.nextRunId,
    error: run.error,
    summary: run.summary,
    paused: run.paused,
    wakeAtMs: run.wakeAtMs,
    ...runStateOf(run, now, HEARTBEAT_MS),
    recovery: runRecoveryOf(run, now),
    annotations: config.annotations ?? {},
    trigger: runTriggerOf(run),
    workflowKey: config.launch?.key ?? null,
    forkedFrom: forkSourceOf(config),
  };
}

function forkSourceOf({ fork }: RunConfig): ForkSource | null {
  return fork === undefined ? null : { runId: fork.runId, frameNo: fork.frameNo, label: fork.label ?? null };
}
