import type { TaskDescriptor } from "../model/task.js";

/** Every node id a task waits for: dependsOn, the nodes of needs, and those of deps. */
export function dependencyIds(task: TaskDescriptor): Iterable<string> {
  if (task.dependsOn === undefined && task.needs === undefined && task.deps === undefined) return [];
  const ids = new Set(task.dependsOn);
  for (const nodeId of Object.values(task.needs ?? {})) ids.add(nodeId);
  for (const target of Object.values(task.deps ?? {})) ids.add(target.nodeId);
  return ids;
}
