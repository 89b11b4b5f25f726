import type { SerializedError } from "../errors/ensure-error.js";
import { dependencyIds } from "../model/dependencies.js";
import { isTerminalNode } from "../model/node.js";
import { stuckFork } from "./forks.js";
import { resolveNodeId } from "./resolve-node-id.js";
import { letsGoOn, missingDependencies } from "./nodes.js";
import type { NodeRecord, SchedulerState } from "./state.js";

/** Names every task that can never start and what it waits for; a fork that cannot be is the cause by itself. */
export function deadlock(state: SchedulerState): SerializedError {
  const stuck: Record<string, string[]> = {};
  const meant: Record<string, string> = {};
  for (const node of state.nodes.values()) {
    if (node.task === null || isTerminalNode(node.row.state)) continue;
    const fork = stuckFork(state, node);
    if (fork !== null) return fork;
    const missing = missingDependencies(state, node);
    stuck[node.key] = missing.length > 0 ? missing : unmet(state, node);
    for (const id of missing) {
      const candidate = isMounted(state, id) ? undefined : resolveNodeId(state, node, id);
      if (candidate !== undefined) meant[id] = candidate;
    }
  }
  const named = (id: string) => {
    if (isMounted(state, id)) return id;
    const hint = meant[id] === undefined ? "" : ` (did you mean ${meant[id]}?)`;
    return `${id}, which no task is${hint}`;
  };
  const list = Object.entries(stuck)
    .map(([key, ids]) => (ids.length > 0 ? `${key} waits for ${ids.map(named).join(" and ")}` : key))
    .join("; ");
  return {
    name: "ServiceError",
    code: "SCHEDULER_ERROR",
    message: `Nothing runs and nothing is waited for, but ${Object.keys(stuck).length} task(s) can never start: ${list}.${nestedNames(state, stuck)}`,
    details: { stuck, ...(Object.keys(meant).length > 0 && { meant }) },
    retryable: false,
  };
}

function isMounted({ latest, newestNested }: SchedulerState, id: string): boolean {
  return latest.has(id) || newestNested.has(id);
}

/** The names of tasks in nested loops, where a task waits for their plain id. */
function nestedNames(state: SchedulerState, stuck: Record<string, string[]>): string {
  const names = new Map<string, string>();
  for (const id of Object.values(stuck).flat()) {
    const nested = state.newestNested.get(id);
    if (nested !== undefined && !state.latest.has(id)) names.set(id, nested);
  }
  return [...names]
    .map(
      ([id, nested]) =>
        ` ${id} stands in nested loops: from outside it is named with their iterations, ${nested}.`,
    )
    .join("");
}

function unmet(state: SchedulerState, node: NodeRecord): string[] {
  const ids: string[] = [];
  for (const id of node.task === null ? [] : dependencyIds(node.task)) {
    const key = state.latest.get(id);
    const other = key === undefined ? undefined : state.nodes.get(key);
    if (other !== undefined && !letsGoOn(other)) ids.push(other.row.nodeId);
  }
  return ids;
}
