import { type TaskKey, taskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { StoredFacts } from "../../store/index.js";
import { postOf } from "../attempt/post-of.js";
import type { LeftAttempt } from "../ports.js";
import type { Message, RunSession } from "../session/session.js";
import type { CommitBuilder } from "../turn/commit.js";
import { takeMessage } from "../turn/take-message.js";
import { codeName } from "../view/code-name.js";

/** An open attempt of the last owner of which a worker has said something that is not in the run. */
export interface FoundAttempt {
  readonly left: LeftAttempt;
  /** It has ended there meanwhile: its outcome counts, and it is not executed again. */
  readonly isAdoptable: boolean;
}

/** Those of tasks that the first frame does not have, or has otherwise, are interrupted as all others that have not ended. */
export async function foundAttempts(
  session: RunSession,
  { nodes, openAttempts }: StoredFacts,
): Promise<Map<TaskKey, FoundAttempt>> {
  const found = new Map<TaskKey, FoundAttempt>();
  const { services, firstFrame: frame, view, runId, workflowName } = session;
  if (openAttempts.length === 0) return found;
  const rows = new Map(nodes.map((row) => [taskKey(row), row]));
  const code = codeName(view.workflow.workflowHash, workflowName);
  const attempts = (await services.dispatcher.leftBehind?.(runId, code)) ?? [];
  for (const left of attempts) {
    const key = taskKey(left);
    const row = rows.get(key);
    const isOpen = row?.state === "in-progress" && row.lastAttempt === left.attempt;
    const isSame = frame !== null && fingerprintIn(frame, key) === row?.fingerprint;
    if (isOpen) found.set(key, { left, isAdoptable: left.hasEnded && isSame });
  }
  return found;
}

/** Their outcomes come as those of any attempt, once the first frame is there. */
export function takeUp(session: RunSession, { attempt, reports, ...place }: LeftAttempt): void {
  const post = postOf(session, { key: taskKey(place), attempt });
  for (const report of reports) post.report(report);
}

/** Messages that say something of what an attempt has done, whatever becomes of it. */
const SAID: readonly Message["type"][] = ["attempt-event", "effect", "asked"];

/** What an attempt has said that is interrupted, for the commit that interrupts it. */
export function keepSaid(
  session: RunSession,
  commit: CommitBuilder,
  { attempt, reports, ...place }: LeftAttempt,
): void {
  const key = taskKey(place);
  const said: Message[] = [];
  const add = (message: Message) => void said.push(message);
  const post = postOf(session, { key, attempt }, { turn: 0, post: add, postLazily: add, postAlong: add });
  for (const report of reports) post.report(report);
  for (const message of said) {
    if (SAID.includes(message.type)) takeMessage(session, commit, message);
    if (message.type !== "heartbeat" || message.json === undefined) continue;
    // Its next attempt begins from there.
    session.heartbeats.set(key, message.json);
    commit.patchAttempt(key, { heartbeatJson: message.json });
  }
}

function fingerprintIn({ tasks }: RenderedFrame, key: TaskKey): string | undefined {
  return tasks.find((task) => taskKey(task) === key)?.fingerprint;
}
