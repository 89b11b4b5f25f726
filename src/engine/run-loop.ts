import { serializeError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { writeCompiledCode } from "../startup/compiled-script.js";
import type { AtRest } from "../scheduler/index.js";
import type { UsageRow } from "../store/index.js";
import { readGivenRow, takeIntent } from "./inbox/given-rows.js";
import { announceArrived } from "./inbox/seen-intents.js";
import { declareLimits } from "./slots/declare-limits.js";
import { advance } from "./turn/advance.js";
import { watchLease } from "./session/lease-watch.js";
import { takeUpdates } from "./reload/take-updates.js";
import { renderPending } from "./turn/render-pending.js";
import { beginCommit, type Message, type RunSession } from "./session/session.js";
import { recordUsage } from "./turn/take-message.js";
import { commitTurn, endTurn, isOver, takeTurn } from "./turn/turn.js";

/** How driving a run ended. */
export type Outcome =
  | AtRest
  /** This process stopped on purpose; the run is resumable. */
  | { kind: "stopped"; reason: string };

/** Until it ends, or by this turn, a run has used most of what runs need of the code, and little of it often. */
const TURN_OF_MOST_CODE = 4;

/** Tasks get this long to complete after a stop, milliseconds. */
const STOP_GRACE_MS = 5_000;

/**
 * Drives a run until it ends or only waits: take what arrived, decide, commit,
 * perform, wait for more. `open` adds to the first turn what starting or
 * resuming has to record.
 *
 * @throws RUN_RESUME_CLAIM_LOST another process took the run over; LIMIT_CONFLICT; the store's errors
 */
export async function driveRun(
  session: RunSession,
  open: (commit: ReturnType<typeof beginCommit>) => void,
): Promise<Outcome> {
  const unwatch = watchLease(session);
  const forget = session.updates?.onNews(() => session.mailbox.post({ type: "code" }));
  try {
    await declareLimits(session.services, session.limits, session.lease);
    const first = beginCommit(session);
    open(first);
    announceArrived(session, first);
    if (session.seedIntents.length > 0) {
      renderPending(session, first);
      for (const intent of session.seedIntents) {
        await readGivenRow(session, intent);
        takeIntent(session, first, intent);
      }
    }
    // Code that came while no process drove the run.
    takeUpdates(session, first);
    let stand = await endTurn(session, first);
    for (let turn = 2; !isOver(session, stand); turn += 1) {
      const messages = await nextMessages(session);
      const ending = messages.find((message) => message.type === "stop" || message.type === "fenced");
      if (ending?.type === "fenced") throw ending.error;
      if (ending?.type === "stop") return await stop(session, messages, ending.reason);
      const taken = takeTurn(session, messages);
      stand = taken instanceof Promise ? await taken : taken;
      if (turn === TURN_OF_MOST_CODE) writeCompiledCode();
    }
    session.services.crash?.("after-end");
    writeCompiledCode();
    return stand;
  } catch (error) {
    abandon(session, error);
    throw error;
  } finally {
    unwatch();
    forget?.();
    session.services.watch?.onRelease(session.runId);
    session.ticket?.close();
    session.mailbox.close();
    session.lateCode?.view.frames.dispose();
    session.view.frames.dispose();
  }
}

/** The messages that arrive next, or none when a deadline comes first. */
function nextMessages(session: RunSession): Promise<Message[]> {
  const { clock } = session.services;
  const never = Number.POSITIVE_INFINITY;
  const deadline = Math.min(
    session.scheduler.nextDeadline() ?? never,
    session.alerts?.nextDueAtMs() ?? never,
  );
  const next = session.mailbox.next();
  if (deadline === never) return next;
  return next.finally(clock.setTimer(deadline, () => session.mailbox.wake()));
}

/** Ends attempts, keeps what still arrives in time, and leaves the rest to be run again. */
async function stop(session: RunSession, messages: readonly Message[], reason: string): Promise<Outcome> {
  const { clock } = session.services;
  // A delivery that has not arrived yet is sent again when the run continues.
  session.deliveries.clear();
  const error = new ServiceError("PROCESS_ABORTED", `The run is being stopped: ${reason}.`);
  session.scores.release(error);
  const stand = await takeTurn(session, [{ type: "scheduler", event: { type: "stop" } }, ...messages]);
  if (isOver(session, stand)) return stand;
  for (const handle of session.handles.values()) handle.abort(serializeError(error));
  const giveUpAt = clock.now() + STOP_GRACE_MS;
  const spent: UsageRow[] = [];
  while (session.handles.size > 0 && clock.now() < giveUpAt) {
    const disarm = clock.setTimer(giveUpAt, () => session.mailbox.wake());
    const more = await session.mailbox.next();
    disarm();
    const kept: Message[] = [];
    for (const message of more) {
      if (message.type === "completed") session.handles.delete(message.key);
      if (message.type !== "completed" || message.outcome.kind === "finished") kept.push(message);
      else spent.push(...(message.outcome.record.usage ?? []));
    }
    const ended = await takeTurn(session, kept);
    if (isOver(session, ended)) return ended;
  }
  const commit = beginCommit(session);
  // That it was stopped says nothing about an attempt; what it has cost is gone.
  for (const usage of spent) recordUsage(commit, usage);
  for (const key of [...session.state.running]) {
    const attempt = session.state.nodes.get(key)?.attempt?.no;
    if (attempt !== undefined)
      advance(session, commit, { type: "attempt-interrupted", key, attempt, reason });
  }
  commit.event({ type: "RunInterrupted", reason });
  commit.run.release = true;
  await commitTurn(session, commit);
  return { kind: "stopped", reason };
}

/** The session cannot continue: running attempts are aborted, and their results are dropped. */
function abandon(session: RunSession, cause: unknown): void {
  const error = new ServiceError("PROCESS_ABORTED", "The process no longer drives this run.", { cause });
  for (const handle of session.handles.values()) handle.abort(serializeError(error));
  session.scores.release(error);
}
