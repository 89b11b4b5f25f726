import {
  globalTaskId,
  parseTaskKey,
  type SubflowNode,
  subflowNodeOf,
  type TaskPlace,
  taskKey,
} from "./address.js";
import type { RunConfig } from "./run-config.js";

/** The parts of a run that say which child runs are its own. */
export interface ParentRun {
  readonly runId: string;
  readonly config: Pick<RunConfig, "continuation">;
}

/**
 * Id of the child run of a subflow, the first of its chain. It is made of the parent that began it, and stays
 * what it is when that parent continues as a new run.
 */
export function childRunId({ runId, config }: ParentRun, { nodeId, iteration }: TaskPlace): string {
  const carried = config.continuation?.children?.[taskKey({ nodeId, iteration })];
  return carried ?? globalTaskId({ runId, nodeId, iteration });
}

/** The subflow that a child run is; null when the run has a parent but is no subflow of it. */
export function nodeOfChildRun({ runId, config }: ParentRun, childId: string): SubflowNode | null {
  for (const [key, id] of Object.entries(config.continuation?.children ?? {})) {
    if (id === childId) return { runId, ...parseTaskKey(key) };
  }
  return subflowNodeOf(childId, runId);
}
