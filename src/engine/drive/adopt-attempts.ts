import { type TaskKey, taskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { StoredFacts } from "../../store/index.js";
import { postOf } from "../attempt/post-of.js";
import type { LeftAttempt } from "../ports.js";
import type { RunSession } from "../session/session.js";
import { codeName } from "../view/code-name.js";

/**
 * Open attempts of the last owner that have ended at a worker meanwhile: their outcome counts, and none of them is
 * executed again. Those of tasks that the first frame does not have, or has otherwise, are interrupted as all others.
 */
export async function adoptableAttempts(
  session: RunSession,
  { nodes, openAttempts }: StoredFacts,
): Promise<Map<TaskKey, LeftAttempt>> {
  const adoptable = new Map<TaskKey, LeftAttempt>();
  const { services, firstFrame: frame, view, runId, workflowName } = session;
  if (openAttempts.length === 0 || frame === null) return adoptable;
  const rows = new Map(nodes.map((row) => [taskKey(row), row]));
  const code = codeName(view.workflow.workflowHash, workflowName);
  const left = (await services.dispatcher.leftBehind?.(runId, code)) ?? [];
  for (const each of left) {
    const key = taskKey(each);
    const row = rows.get(key);
    const isOpen = row?.state === "in-progress" && row.lastAttempt === each.attempt;
    if (isOpen && fingerprintIn(frame, key) === row.fingerprint) adoptable.set(key, each);
  }
  return adoptable;
}

/** Their outcomes come as those of any attempt, once the first frame is there. */
export function takeUp(session: RunSession, { attempt, reports, ...place }: LeftAttempt): void {
  const post = postOf(session, taskKey(place), attempt);
  for (const report of reports) post.report(report);
}

function fingerprintIn({ tasks }: RenderedFrame, key: TaskKey): string | undefined {
  return tasks.find((task) => taskKey(task) === key)?.fingerprint;
}
