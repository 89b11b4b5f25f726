import { ServiceError } from "../../errors/service-error.js";
import { areDefinedDifferently } from "../../graph/fingerprint.js";
import type { FileChange } from "../../model/loaded-file.js";
import type { FrameTask, RenderedFrame } from "../../model/graph.js";

export interface NodeChange {
  nodeId: string;
  change: "added" | "removed" | "changed";
}

/**
 * The differences between the tasks a run had mounted and those the workflow
 * mounts now from the same rows. Equal code gives an empty list.
 */
export function compareTasks(before: readonly FrameTask[], now: RenderedFrame): NodeChange[] {
  const changes: NodeChange[] = [];
  const old = new Map(before.map((task) => [task.nodeId, task]));
  for (const task of now.tasks) {
    const known = old.get(task.nodeId);
    old.delete(task.nodeId);
    if (known === undefined) changes.push({ nodeId: task.nodeId, change: "added" });
    else if (areDefinedDifferently(known.fingerprint, task.fingerprint)) {
      changes.push({ nodeId: task.nodeId, change: "changed" });
    }
  }
  for (const nodeId of old.keys()) changes.push({ nodeId, change: "removed" });
  return changes;
}

/** Listed in the message at most. */
const MOST_LISTED = 20;

/** Changes of code that a resume found. */
export interface CodeChanges {
  tasks: readonly NodeChange[];
  files: readonly FileChange[];
}

const MARKS = { added: "+", removed: "-", changed: "~" } as const;

export function changeRefused(runId: string, { tasks, files }: CodeChanges): ServiceError {
  const changes = [
    ...tasks.map(({ nodeId, change }) => ({ name: nodeId, change })),
    ...files.map(({ path, change }) => ({ name: `file ${path}`, change })),
  ];
  const list = changes
    .slice(0, MOST_LISTED)
    .map(({ name, change }) => `${MARKS[change]} ${name} (${change})`);
  if (changes.length > MOST_LISTED) list.push(`… and ${changes.length - MOST_LISTED} more`);
  return new ServiceError(
    "RESUME_METADATA_MISMATCH",
    `The workflow changed since run ${runId} started: ${list.join(", ")}.`,
    { details: { runId, changes: tasks, ...(files.length > 0 && { files }) } },
  );
}
