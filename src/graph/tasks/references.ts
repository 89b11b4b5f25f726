import type { DependencyTarget, TaskDescriptor } from "../../model/task.js";
import type { Site } from "../element-rule.js";
import { candidateIds } from "../ancestor-context.js";
import { resolveOutput } from "./output.js";

/** References as the author wrote them. */
export interface DraftReferences {
  /** Of elements around it, with the prefix of their scope. */
  after: readonly string[];
  dependsOn?: string[] | undefined;
  needs?: Record<string, string> | undefined;
  /** Name to output target. */
  deps?: Record<string, unknown> | undefined;
  fork?: string | undefined;
}

type References = Pick<TaskDescriptor, "dependsOn" | "needs" | "deps" | "forkSource">;

/** References as addresses: inside loops a plain id means the closest task of that id. */
export function resolveReferences(site: Site, draft: DraftReferences): References {
  const { prefix } = site.around.scope;
  const address = (id: string) => resolveAddress(site, prefix + id);
  const references: References = {};
  const after = draft.after.map((id) => resolveAddress(site, id));
  const own = draft.dependsOn?.map(address);
  if (after.length > 0 || own !== undefined) references.dependsOn = [...after, ...(own ?? [])];
  if (draft.needs !== undefined) {
    references.needs = Object.fromEntries(
      Object.entries(draft.needs).map(([name, id]) => [name, address(id)]),
    );
  }
  if (draft.deps !== undefined) {
    const needs = new Map(Object.entries(references.needs ?? {}));
    references.deps = Object.fromEntries(
      Object.entries(draft.deps).map(([name, target]): [string, DependencyTarget] => {
        const { outputKey } = resolveOutput(site, target, `deps.${name}`);
        return [name, { nodeId: needs.get(name) ?? address(name), outputKey }];
      }),
    );
  }
  if (draft.fork !== undefined) references.forkSource = address(draft.fork);
  return references;
}

/** Whether other tasks appearing or vanishing may change what the task's references mean. */
export function hasReferencesInLoop(task: TaskDescriptor): boolean {
  return (
    task.ralphId !== undefined &&
    (task.dependsOn !== undefined ||
      task.needs !== undefined ||
      task.deps !== undefined ||
      task.forkSource !== undefined)
  );
}

/** An id that no mounted task has stays as written: the scheduler reports it by that name. */
function resolveAddress({ around, extraction }: Site, id: string): string {
  if (around.loops.length === 0) return id;
  return candidateIds(id, around.loops).find((candidate) => extraction.nodeIds.has(candidate)) ?? id;
}
