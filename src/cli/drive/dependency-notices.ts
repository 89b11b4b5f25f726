import { elementSource } from "../../../jsx-runtime/element-source.js";
import { writtenId } from "../../model/address.js";
import { dependencyIds } from "../../model/dependencies.js";
import type { TaskDescriptor } from "../../model/task.js";
import { nearest } from "../../util/nearest.js";

/** A task that waits for something that a frame does not have. */
export interface DependencyNotice {
  /** `task "ship" (flow.tsx:7) depends on "biuld", which no task of the first frame is; did you mean "build"?` */
  text: string;
}

/**
 * Dependencies of tasks on nothing in their frame. They may be meant: a later frame can bring the
 * task. Without one, the run ends in SCHEDULER_ERROR.
 */
export function dependencyNotices(tasks: readonly TaskDescriptor[]): DependencyNotice[] {
  const known = new Set(tasks.map(({ nodeId }) => nodeId));
  return tasks.flatMap((task) =>
    [...dependencyIds(task)]
      .filter((nodeId) => !known.has(nodeId))
      .map((nodeId) => {
        const meant = nearest(writtenId(nodeId), [...known].map(writtenId));
        return { text: noticeText(task, { missing: writtenId(nodeId), meant }) };
      }),
  );
}

function noticeText(
  task: TaskDescriptor,
  { missing, meant }: { missing: string; meant: string | undefined },
): string {
  const source = elementSource(task);
  const where = source === undefined ? "" : ` (${source.fileName}:${source.lineNumber})`;
  const hint =
    meant === undefined ? "; it waits until one is mounted" : `; did you mean ${JSON.stringify(meant)}?`;
  const name = JSON.stringify(writtenId(task.nodeId));
  return `task ${name}${where} depends on ${JSON.stringify(missing)}, which no task of the first frame is${hint}`;
}
