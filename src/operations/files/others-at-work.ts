import { join } from "node:path";
import { taskKey, type TaskKey } from "../../model/address.js";
import type { AttemptRow } from "../../model/node.js";
import type { TaskKind } from "../../model/task.js";
import type { Store } from "../../store/index.js";
import type { FileState } from "../../vcs/file-state.js";

/** Kinds of tasks that execute something. */
const WORKING: readonly (TaskKind | null)[] = ["agent", "compute", "sandbox", "subflow", null];

/**
 * Other tasks of the run that were at work while an attempt was, and may have changed the same folder: what they have
 * done is part of the difference. Those that were recorded in another folder are not among them. Other runs and programs
 * are not known.
 */
export async function othersAtWork(
  store: Store,
  runId: string,
  { own, state, nowMs }: { own: AttemptRow; state: FileState; nowMs: number },
): Promise<TaskKey[]> {
  const folder = join(state.root, state.folder);
  const elsewhere = new Set<string>();
  const events = await store.listEvents(runId, { types: ["FilesRecorded"], limit: Number.MAX_SAFE_INTEGER });
  for (const { event } of events) {
    if (event.type !== "FilesRecorded" || join(event.root, event.folder) === folder) continue;
    elsewhere.add(`${taskKey(event)} ${event.attempt}`);
  }
  const kinds = new Map((await store.listNodes(runId)).map((node) => [taskKey(node), node.kind]));
  const ownKey = taskKey(own);
  const endOf = ({ finishedAtMs }: AttemptRow) => finishedAtMs ?? nowMs;
  const others = (await store.listAttempts(runId)).filter(
    (other) =>
      taskKey(other) !== ownKey &&
      WORKING.includes(kinds.get(taskKey(other)) ?? null) &&
      !elsewhere.has(`${taskKey(other)} ${other.attempt}`) &&
      other.startedAtMs < endOf(own) &&
      own.startedAtMs < endOf(other),
  );
  return [...new Set(others.map(taskKey))];
}
