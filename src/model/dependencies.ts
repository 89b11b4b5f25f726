import type { DependencyTarget } from "./task.js";

/** What it waits for, as it was written. */
export interface Dependent {
  readonly dependsOn?: readonly string[];
  readonly needs?: Readonly<Record<string, string>>;
  readonly deps?: Readonly<Record<string, DependencyTarget>>;
  readonly forkSource?: string;
}

/** Every node id a task waits for: dependsOn, the nodes of needs, those of deps, and the source of its fork. */
export function dependencyIds(task: Dependent): Iterable<string> {
  const { dependsOn, needs, deps, forkSource } = task;
  const hasNone =
    dependsOn === undefined && needs === undefined && deps === undefined && forkSource === undefined;
  if (hasNone) return [];
  const ids = new Set(dependsOn);
  for (const nodeId of Object.values(needs ?? {})) ids.add(nodeId);
  for (const target of Object.values(deps ?? {})) ids.add(target.nodeId);
  if (forkSource !== undefined) ids.add(forkSource);
  return ids;
}
