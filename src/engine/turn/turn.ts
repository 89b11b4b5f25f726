import { type TaskKey, taskKey } from "../../model/address.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { ApprovalDecision } from "../../model/intent.js";
import { isTerminal } from "../../model/run.js";
import { type AtRest, type Disposition, isAtRest, isEnd } from "../../scheduler/index.js";
import type { Awaitable } from "../../util/awaitable.js";
import { mountedJob } from "../attempt/mounted-job.js";
import { advance } from "./advance.js";
import { raiseAlerts, raiseEndAlerts } from "../alerts/raise.js";
import { automaticDecision, keptDecision } from "../inbox/auto-approval.js";
import { carrySessions } from "../continuation/carry-sessions.js";
import { takeIntent } from "../inbox/given-rows.js";
import { endLeftChildren } from "../inbox/cancel-suspended.js";
import { givesUpNodes, leaveChildren } from "../inbox/left-children.js";
import type { CommitBuilder } from "./commit.js";
import { adoptScores } from "../scores/adopt-scores.js";
import { dropScores } from "../scores/record-score.js";
import { publish } from "../session/publish.js";
import { recordDisposition } from "../session/disposition.js";
import { recordStart } from "./record-start.js";
import { renderPending } from "./render-pending.js";
import { beginCommit, type Message, type RunSession } from "../session/session.js";
import { takeMessage } from "./take-message.js";
import { isNews } from "../inbox/seen-intents.js";
import { unseenIntents } from "../inbox/unseen-intents.js";
import { perform } from "./perform.js";
import { enlistStarts } from "./prepare-start.js";
import { writeGroupOf } from "../session/write-group.js";

/*
 * A turn without questions to the store makes no promise: with thousands of
 * turns per second each one counts.
 */

/** Takes the messages of one turn, decides what follows, commits it, and performs it. */
export function takeTurn(session: RunSession, messages: readonly Message[]): Awaitable<Disposition> {
  const commit = beginCommit(session);
  for (const message of messages) {
    takeMessage(session, commit, message);
    if (session.config.requireRerenderOnOutputChange) renderPending(session, commit);
  }
  return endTurn(session, commit);
}

/** Lets time pass, answers outstanding frames, commits, performs. */
export function endTurn(session: RunSession, commit: CommitBuilder): Awaitable<Disposition> {
  advance(session, commit, { type: "tick" });
  const decided = decide(session, commit);
  if (decided instanceof Promise) return decided.then((stand) => completeTurn(session, commit, stand));
  return completeTurn(session, commit, decided);
}

/** Adds to the commit where the run stands with it. */
function completeTurn(
  session: RunSession,
  commit: CommitBuilder,
  stand: Disposition,
): Awaitable<Disposition> {
  completeScores(session, commit, stand);
  if (isEnd(stand) && !session.scores.isEmpty) {
    recordDisposition(session, commit, { kind: "active" });
  } else if (!isTerminal(session.status)) {
    recordDisposition(session, commit, stand);
    if (commit.newRuns.length > 0) return completeSuccessor(session, commit, stand);
    raiseEndAlerts(session, commit, stand);
  }
  return commitDisposition(session, commit, stand);
}

async function completeSuccessor(
  session: RunSession,
  commit: CommitBuilder,
  stand: Disposition,
): Promise<Disposition> {
  await carrySessions(session.services.store, session.runId, commit);
  raiseEndAlerts(session, commit, stand);
  return commitDisposition(session, commit, stand);
}

function commitDisposition(
  session: RunSession,
  commit: CommitBuilder,
  stand: Disposition,
): Awaitable<Disposition> {
  if (stand.kind === "waiting") commit.run.wakeAtMs = wakeTime(session);
  if (isOver(session, stand)) commit.run.release = true;
  if (commit.run.release === true) session.services.crash?.("before-end");
  const writing = commitTurn(session, commit);
  return writing instanceof Promise ? writing.then(() => stand) : stand;
}

/** Decides until nothing follows any more. Starts come last, so that none of them is taken back in the same turn. */
function decide(session: RunSession, commit: CommitBuilder): Awaitable<Disposition> {
  for (;;) {
    const stand = renderPending(session, commit);
    if (session.isVisit && stand.kind !== "waiting" && stand.kind !== "render") {
      session.isVisit = false;
      recordStart(session, commit, { wasStarted: true });
    }
    if (commit.hasOpenRequests || stand.kind === "waiting") return askAndDecide(session, commit, stand);
    if (raiseAlerts(session, commit)) continue;
    if (stand.kind !== "start") return stand;
    advance(session, commit, { type: "start-ready" });
  }
}

/** As `decide`, where the store has to be asked first. */
async function askAndDecide(
  session: RunSession,
  commit: CommitBuilder,
  stand: Disposition,
): Promise<Disposition> {
  const isMoved =
    (commit.hasOpenRequests && (await decideByRule(session, commit))) ||
    raiseAlerts(session, commit) ||
    (stand.kind === "waiting" && (await takeLateIntents(session, commit)));
  if (!isMoved) {
    if (stand.kind !== "start") return stand;
    advance(session, commit, { type: "start-ready" });
  }
  return decide(session, commit);
}

/** Nothing is left for this process to do: its deliveries and scores have ended, too. */
export function isOver(session: RunSession, stand: Disposition): stand is AtRest {
  // A run that only waits continues with code that is being loaded; one that ends keeps its own.
  if (stand.kind === "waiting" && session.lateCode !== null) return false;
  return isAtRest(stand) && session.deliveries.size === 0 && session.scores.isEmpty;
}

/** Takes up what an earlier process has left of its scores, and gives up what a cancelled run has. */
function completeScores(session: RunSession, commit: CommitBuilder, stand: Disposition): void {
  if (session.leftScores.length > 0) {
    adoptScores(session, commit, session.leftScores);
    session.leftScores = [];
  }
  if (stand.kind === "cancelled") dropScores(session, commit);
  session.scores.setResting(isAtRest(stand));
}

/** When a run that no process drives moves by itself; null when only a person or another process can move it. */
function wakeTime({ scheduler, state, alerts }: RunSession): number | null {
  const own = state.holds.size > 0 ? undefined : scheduler.nextDeadline();
  const atMs = Math.min(own ?? Number.POSITIVE_INFINITY, alerts?.nextDueAtMs() ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(atMs) ? atMs : null;
}

/** A run does not go to sleep on a decision that has just arrived. */
async function takeLateIntents(session: RunSession, commit: CommitBuilder): Promise<boolean> {
  const late = await unseenIntents(session);
  for (const intent of late) {
    if (isNews(session, commit, intent.id)) takeIntent(session, commit, intent);
  }
  return late.length > 0;
}

/** Approvals requested in this turn whose own rule, or an earlier decision, decides them. True when there was one. */
async function decideByRule(session: RunSession, commit: CommitBuilder): Promise<boolean> {
  let decided = false;
  for (const row of commit.takeOpenRequests()) {
    const decision = await ownDecision(session, row, commit.now);
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
        requestHash: row.requestHash,
        atMs: commit.now,
        automatic: true,
      },
    });
  }
  return decided;
}

async function ownDecision(
  session: RunSession,
  row: ApprovalRow,
  now: number,
): Promise<ApprovalDecision | null> {
  const { workflowName, services, state } = session;
  const key: TaskKey = taskKey(row);
  const task = state.nodes.get(key)?.task;
  if (task == null) return null;
  const ruled = await automaticDecision(services.store, { workflowName, task, row });
  if (ruled !== null || task.cachePolicy === undefined) return ruled;
  const job = mountedJob(session.jobOf(key, 0), session.mounted.taskAt(row));
  return keptDecision(services.store, job, now);
}

export function commitTurn(session: RunSession, commit: CommitBuilder): Awaitable<void> {
  if (commit.isEmpty) {
    for (const onKept of commit.waiting) onKept();
    return perform(session, commit);
  }
  if (givesUpNodes(session, commit)) return commitWithChildren(session, commit);
  const askedAtMs = session.services.clock.now();
  const writing = write(session, commit);
  if (writing instanceof Promise) return writing.then(() => afterCommit(session, commit, askedAtMs));
  afterCommit(session, commit, askedAtMs);
}

async function commitWithChildren(session: RunSession, commit: CommitBuilder): Promise<void> {
  const { services } = session;
  const left = await leaveChildren(services.store, session, commit);
  const askedAtMs = services.clock.now();
  await write(session, commit);
  committed(session, commit, askedAtMs);
  if (left.length > 0) await endLeftChildren(services, left);
  perform(session, commit);
}

function write(session: RunSession, commit: CommitBuilder): Awaitable<void> {
  const enlisting = enlistStarts(session, commit);
  if (enlisting !== undefined) return enlisting.then(() => writeNow(session, commit));
  return writeNow(session, commit);
}

function writeNow({ services }: RunSession, commit: CommitBuilder): Awaitable<void> {
  services.crash?.("before-commit");
  return writeGroupOf(services.store).write({ type: "commit", commit: commit.build() });
}

function afterCommit(session: RunSession, commit: CommitBuilder, askedAtMs: number): void {
  committed(session, commit, askedAtMs);
  perform(session, commit);
}

function committed(session: RunSession, { events, waiting }: CommitBuilder, askedAtMs: number): void {
  const { runId, services, onProgress } = session;
  session.outputs.settle();
  session.hold.renew(askedAtMs);
  services.crash?.("after-commit");
  for (const onKept of waiting) onKept();
  publish({ runId, events, watch: services.watch, onProgress });
}
