import { deserializeError, ensureError, serializeError } from "../errors/ensure-error.js";
import type { EventBody, RunEvent } from "../model/events.js";
import type { RenderedFrame } from "../model/graph.js";
import type { TaskKey } from "../model/node.js";
import type { Command, SchedulerEvent } from "../scheduler/commands.js";
import type { SchedulerIntent } from "../scheduler/intents.js";
import { type Standing, standing } from "../scheduler/settle.js";
import type { FrameRequest, SchedulerState } from "../scheduler/state.js";
import { step } from "../scheduler/step.js";
import type { Lease, UsageRow } from "../store/contract.js";
import { automaticDecision } from "./auto-approval.js";
import { type BudgetLedger, budgetScope } from "./budgets.js";
import { CommitBuilder, type CommitLedger, toRunEvent } from "./commit.js";
import type { FrameLog } from "./frames.js";
import type { OutlineView } from "./outline.js";
import type { OutputIndex } from "./outputs.js";
import type {
  AttemptEventBody,
  AttemptHandle,
  AttemptJob,
  AttemptOutcome,
  EngineServices,
  FrameSource,
} from "./ports.js";
import type { RenderReads } from "./reads.js";
import { type EndingRun, recordStanding } from "./standing.js";
import { toSchedulerIntent } from "./inbox-intent.js";
import type { Mailbox } from "./mailbox.js";

/** What arrives in a run's mailbox. */
export type Letter =
  | { type: "settled"; key: TaskKey; attempt: number; outcome: AttemptOutcome }
  | { type: "heartbeat"; key: TaskKey; attempt: number; json: string | undefined }
  | { type: "attempt-event"; body: AttemptEventBody }
  | { type: "event"; body: EventBody }
  | { type: "scheduler"; event: SchedulerEvent }
  /** Stop driving, leave the run resumable. */
  | { type: "stop"; reason: string }
  /** The lease is gone: somebody else drives the run. */
  | { type: "fenced"; error: Error };

/**
 * One run while this process drives it.
 *
 * Owns: the scheduler's state, the outputs in memory, the frame source, attempts
 * in progress. Does not own: when turns happen (run-loop), how attempts run
 * (dispatcher), how the database stores things (store).
 *
 * E1  Whatever a turn decides is committed before any of it takes effect.
 * E2  A failed commit ends the session; its memory is thrown away with it.
 * E3  A result counts only while its attempt is the node's current one and
 *     nobody has aborted it.
 */
export interface RunSession extends EndingRun {
  readonly services: EngineServices;
  readonly lease: Lease;
  readonly mailbox: Mailbox<Letter>;
  readonly frames: FrameSource;
  readonly frameLog: FrameLog;
  readonly outputs: OutputIndex;
  readonly reads: RenderReads;
  readonly outline: OutlineView;
  readonly ledger: CommitLedger;
  readonly budgets: BudgetLedger;
  readonly handles: Map<TaskKey, AttemptHandle>;
  readonly jobOf: (key: TaskKey, attempt: number) => AttemptJob;
  readonly onProgress: ((event: RunEvent) => void) | undefined;
  /** Newest checkpoint of each task, JSON. */
  readonly heartbeats: Map<TaskKey, string>;
  /** Inbox rows that this session knows. */
  readonly seenIntents: Set<number>;
  /** Requests that were there before the session, for its first turn. */
  readonly seedIntents: readonly SchedulerIntent[];
  /** When each attempt's heartbeat was last written, epoch ms. */
  readonly lastHeartbeatWrites: Map<TaskKey, number>;
  state: SchedulerState;
  frame: RenderedFrame | null;
  /** A row that the last render had read has changed since. */
  readsChanged: boolean;
  /** Rendered before the run existed, so that a broken first frame writes nothing. */
  firstFrame: RenderedFrame | null;
}

/** Checkpoints of one attempt are written at most this often, milliseconds. */
const HEARTBEAT_WRITE_MS = 500;

/** Takes the letters of one turn, decides what follows, commits it, and performs it. */
export async function takeTurn(session: RunSession, letters: readonly Letter[]): Promise<Standing> {
  const commit = beginCommit(session);
  for (const letter of letters) {
    takeLetter(session, commit, letter);
    if (session.config.requireRerenderOnOutputChange) renderPending(session, commit);
  }
  return endTurn(session, commit);
}

export function beginCommit(session: RunSession): CommitBuilder {
  return new CommitBuilder(session.state, session.ledger, session.lease, session.services.clock.now());
}

/** Lets time pass, answers outstanding frames, commits, performs. */
export async function endTurn(session: RunSession, commit: CommitBuilder): Promise<Standing> {
  advance(session, commit, { type: "tick" });
  let stand = renderPending(session, commit);
  while ((await decideByRule(session, commit)) || (await takeLateIntents(session, commit, stand))) {
    stand = renderPending(session, commit);
  }
  recordStanding(session, commit, stand);
  if (commit.run.release === true) session.services.crash?.("before-end");
  await commitTurn(session, commit);
  return stand;
}

/** A run does not go to sleep on a decision that has just arrived. */
async function takeLateIntents(
  session: RunSession,
  commit: CommitBuilder,
  stand: Standing,
): Promise<boolean> {
  if (stand.kind !== "waiting") return false;
  const late = await unseenIntents(session);
  for (const intent of late) advance(session, commit, { type: "intent", intent });
  return late.length > 0;
}

/** What is new in the run's inbox, as the scheduler understands it. */
export async function unseenIntents(session: RunSession): Promise<SchedulerIntent[]> {
  const fresh: SchedulerIntent[] = [];
  for (const row of await session.services.store.pendingIntents(session.runId)) {
    if (session.seenIntents.has(row.id)) continue;
    session.seenIntents.add(row.id);
    const intent = toSchedulerIntent(row);
    if (intent !== null) fresh.push(intent);
  }
  return fresh;
}

/** Approvals requested in this turn whose own rule decides them. True when there was one. */
async function decideByRule(session: RunSession, commit: CommitBuilder): Promise<boolean> {
  let decided = false;
  for (const row of commit.takeOpenRequests()) {
    const task = session.state.nodes.get(`${row.nodeId}::${row.iteration}`)?.task;
    if (task?.approvalAutoApprove === undefined) continue;
    const { workflowName, services } = session;
    const decision = await automaticDecision(services.store, { workflowName, task, row });
    if (decision === null) continue;
    decided = true;
    advance(session, commit, {
      type: "intent",
      intent: {
        id: -1,
        kind: "approval",
        nodeId: row.nodeId,
        iteration: row.iteration,
        decision,
        atMs: commit.now,
        automatic: true,
      },
    });
  }
  return decided;
}

export async function commitTurn(session: RunSession, commit: CommitBuilder): Promise<void> {
  const { services } = session;
  if (!commit.isEmpty) {
    services.crash?.("before-commit");
    await services.store.commit(commit.build());
    services.crash?.("after-commit");
    publish(session, commit);
  }
  perform(session, commit);
}

function publish(session: RunSession, commit: CommitBuilder): void {
  const { onProgress, services } = session;
  if (onProgress === undefined && services.onEvent === undefined) return;
  for (const stored of commit.events) {
    const event = toRunEvent(session.runId, stored);
    try {
      services.onEvent?.(event);
      onProgress?.(event);
    } catch (error) {
      // An observer that throws must not stop what it observes.
      process.emitWarning(`A listener of run ${session.runId} threw: ${ensureError(error).message}`);
    }
  }
}

function perform(session: RunSession, commit: CommitBuilder): void {
  for (const effect of commit.effects) {
    if (effect.type === "abort") session.handles.get(effect.key)?.abort(deserializeError(effect.error));
    else startAttempt(session, effect.key, effect.attempt);
  }
}

function startAttempt(session: RunSession, key: TaskKey, attempt: number): void {
  const { services, mailbox } = session;
  services.crash?.("before-start");
  const refusal = refusedByBudget(session, key);
  if (refusal !== null) {
    mailbox.post({ type: "settled", key, attempt, outcome: refusal });
    return;
  }
  const handle = services.dispatcher.dispatch(session.jobOf(key, attempt), {
    settled(outcome) {
      services.crash?.("attempt-settled");
      mailbox.post({ type: "settled", key, attempt, outcome });
    },
    heartbeat: (json) => mailbox.postLazily({ type: "heartbeat", key, attempt, json }),
    event: (body) => mailbox.postLazily({ type: "attempt-event", body }),
  });
  session.handles.set(key, handle);
  services.crash?.("after-start");
}

/** The outcome of an attempt that a used-up budget does not let start; null when it may. */
function refusedByBudget(session: RunSession, key: TaskKey): AttemptOutcome | null {
  const { frame, budgets, mailbox } = session;
  const task = session.state.nodes.get(key)?.task;
  if (task?.aspectIds === undefined || frame === null) return null;
  const verdict = budgets.beforeStart(task, budgetScope(frame.aspects, frame.tasks));
  if (verdict.kind === "ok") return null;
  for (const body of verdict.events) mailbox.post({ type: "event", body });
  if (verdict.kind === "fail") return { kind: "failed", error: verdict.error, record: {} };
  return verdict.kind === "skip" ? { kind: "skipped", reason: verdict.reason, record: {} } : null;
}

/** The outcome as `perTask` limits leave it. */
function judgedByBudget(session: RunSession, commit: CommitBuilder, letter: SettledLetter): AttemptOutcome {
  const { frame, budgets, ledger } = session;
  const { key, outcome } = letter;
  const task = session.state.nodes.get(key)?.task;
  for (const usage of outcome.record.usage ?? []) budgets.addUsage(usage);
  const startedAtMs = ledger.openAttempts.get(key)?.startedAtMs ?? commit.now;
  if (task != null) budgets.addDuration(task.nodeId, commit.now - startedAtMs);
  if (task?.aspectIds === undefined || frame === null || outcome.kind !== "finished") return outcome;
  const verdict = budgets.afterAttempt(task, budgetScope(frame.aspects, frame.tasks));
  if (verdict.kind === "ok") return outcome;
  for (const body of verdict.events) commit.event(body);
  return verdict.kind === "fail" ? { kind: "failed", error: verdict.error, record: outcome.record } : outcome;
}

function takeLetter(session: RunSession, commit: CommitBuilder, letter: Letter): void {
  switch (letter.type) {
    case "settled":
      return takeOutcome(session, commit, letter);
    case "heartbeat":
      return takeHeartbeat(session, commit, letter);
    case "attempt-event":
    case "event":
      commit.event(letter.body);
      return;
    case "scheduler":
      return advance(session, commit, letter.event);
    case "stop":
    case "fenced":
      // The loop handles these before the turn.
      return;
    default:
      letter satisfies never;
  }
}

type SettledLetter = Extract<Letter, { type: "settled" }>;

function takeOutcome(session: RunSession, commit: CommitBuilder, letter: SettledLetter): void {
  const { key, attempt } = letter;
  const node = session.state.nodes.get(key);
  if (node?.attempt?.no !== attempt) return;
  const outcome = judgedByBudget(session, commit, letter);
  session.handles.delete(key);
  const { record } = outcome;
  if (record.meta !== undefined) commit.patchAttempt(key, { meta: record.meta });
  for (const usage of record.usage ?? []) recordUsage(commit, usage);
  const isCurrent = node.attempt.aborting === null;
  switch (outcome.kind) {
    case "finished":
      if (isCurrent && outcome.columns !== undefined && outcome.row !== undefined) {
        const { outputKey } = node.row;
        commit.outputs.push({
          outputKey,
          nodeId: node.row.nodeId,
          iteration: node.row.iteration,
          columns: outcome.columns,
        });
        session.outputs.set(outputKey, outcome.row);
        session.readsChanged ||= session.reads.covers(outputKey, node.row.nodeId);
      }
      if (isCurrent && record.cacheWrite !== undefined) commit.cache.push(record.cacheWrite);
      if (outcome.cached) commit.patchAttempt(key, { cached: true });
      return advance(session, commit, { type: "attempt-finished", key, attempt, cached: outcome.cached });
    case "failed":
      return advance(session, commit, {
        type: "attempt-failed",
        key,
        attempt,
        error: serializeError(outcome.error),
        ...(outcome.quotaResetAtMs !== undefined && { quotaResetAtMs: outcome.quotaResetAtMs }),
      });
    case "skipped":
      return advance(session, commit, { type: "attempt-skipped", key, attempt, reason: outcome.reason });
    case "parked":
      return advance(session, commit, { type: "attempt-parked", key, attempt, status: outcome.status });
    default:
      outcome satisfies never;
  }
}

function recordUsage(commit: CommitBuilder, usage: UsageRow): void {
  commit.usage.push(usage);
  commit.event({
    type: "TokenUsageReported",
    nodeId: usage.nodeId,
    iteration: usage.iteration,
    attempt: usage.attempt,
    model: usage.model ?? "unknown",
    agent: usage.agentId,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    ...(usage.cacheReadTokens !== undefined && { cacheReadTokens: usage.cacheReadTokens }),
    ...(usage.cacheWriteTokens !== undefined && { cacheWriteTokens: usage.cacheWriteTokens }),
    ...(usage.reasoningTokens !== undefined && { reasoningTokens: usage.reasoningTokens }),
  });
}

function takeHeartbeat(
  session: RunSession,
  commit: CommitBuilder,
  letter: Extract<Letter, { type: "heartbeat" }>,
): void {
  const { key, attempt, json } = letter;
  const node = session.state.nodes.get(key);
  if (node?.attempt?.no !== attempt) return;
  advance(session, commit, { type: "heartbeat", key, attempt });
  const last = session.lastHeartbeatWrites.get(key) ?? 0;
  if (json === undefined && commit.now - last < HEARTBEAT_WRITE_MS) return;
  session.lastHeartbeatWrites.set(key, commit.now);
  if (json !== undefined) session.heartbeats.set(key, json);
  commit.patchAttempt(key, {
    heartbeatAtMs: commit.now,
    ...(json !== undefined && { heartbeatJson: json }),
  });
  commit.event({
    type: "TaskHeartbeat",
    nodeId: node.row.nodeId,
    iteration: node.row.iteration,
    attempt,
    hasData: json !== undefined,
    dataSizeBytes: json === undefined ? 0 : Buffer.byteLength(json),
  });
}

export function advance(session: RunSession, commit: CommitBuilder, event: SchedulerEvent): void {
  const [state, commands]: [SchedulerState, Command[]] = step(session.state, event, commit.now);
  session.state = state;
  commit.add(commands);
}

/** Answers every frame the scheduler asks for, from memory where the last render has not read what changed. */
export function renderPending(session: RunSession, commit: CommitBuilder): Standing {
  for (;;) {
    const stand = standing(session.state);
    if (stand.kind !== "render") return stand;
    const { request } = stand;
    if (canReuse(session, request)) {
      logFrame(session, commit, session.frame as RenderedFrame, request);
      advance(session, commit, { type: "frame-unchanged" });
      continue;
    }
    try {
      renderFrame(session, commit, request);
    } catch (thrown) {
      session.state.wantsFrame = null;
      session.state.failure ??= { key: null, error: serializeError(ensureError(thrown)) };
    }
  }
}

function canReuse(session: RunSession, request: FrameRequest): boolean {
  return !request.force && session.frame !== null && !session.readsChanged;
}

function renderFrame(session: RunSession, commit: CommitBuilder, request: FrameRequest): void {
  const before = session.frame;
  const frame = session.firstFrame ?? render(session);
  session.firstFrame = null;
  session.readsChanged = false;
  session.frame = frame;
  const isSame = before !== null && before.structureVersion === frame.structureVersion;
  if (!isSame || request.reason === "output") logFrame(session, commit, frame, request);
  advance(session, commit, { type: "frame", frame, reason: request.reason });
}

export function render(session: Pick<RunSession, "frames" | "reads" | "outline">): RenderedFrame {
  session.reads.start();
  try {
    const frame = session.frames.render();
    if (!session.outline.adopt(frame)) return frame;
    // What it read of loops and nested tasks was the last frame's: only this one tells what is mounted now.
    session.reads.start();
    const corrected = session.frames.render();
    session.outline.adopt(corrected);
    return corrected;
  } finally {
    session.reads.stop();
  }
}

function logFrame(
  session: RunSession,
  commit: CommitBuilder,
  frame: RenderedFrame,
  request: FrameRequest,
): void {
  session.ledger.frameNo += 1;
  const { frameNo } = session.ledger;
  commit.frames.push(session.frameLog.write(frame, frameNo, request, commit.now));
  commit.event({
    type: "FrameCommitted",
    frameNo,
    reason: request.reason,
    ...(request.nodeId !== undefined && { nodeId: request.nodeId }),
    ...(request.iteration !== undefined && { iteration: request.iteration }),
  });
}
