import { childRunId, type ParentRun } from "../../model/child-run-id.js";
import type { NodeRow } from "../../model/node.js";
import { isTerminal, isWaiting, type RunRow, type RunStatus } from "../../model/run.js";
import { newestOfChain, type Store } from "../../store/index.js";
import { eachChildRun } from "../drive/each-run.js";
import type { Blocker } from "../explain/blocker.js";
import type { ResumeRemedy } from "../remedies/resume.js";

/** Child runs of a run, and the run that continues it. */
export async function childRunsOf(store: Store, runId: string): Promise<RunRow[]> {
  const children: RunRow[] = [];
  for await (const child of eachChildRun(store, runId)) children.push(child);
  return children;
}

/** A node that waits for the child run that its subflow is. */
export interface SuspendedNode {
  node: NodeRow;
  child: RunRow;
}

/** Waiting nodes whose state only repeats their child run's. */
export function suspendedNodes(
  run: ParentRun,
  nodes: readonly NodeRow[],
  children: readonly RunRow[],
): SuspendedNode[] {
  const byId = new Map(children.map((child) => [child.runId, child]));
  return nodes.flatMap((node) => {
    if (!isWaiting(node.state as RunStatus)) return [];
    const child = byId.get(childRunId(run, node));
    return child === undefined ? [] : { node, child };
  });
}

/** Child runs that have ended while no process drove the run that waits for them. */
export async function endedChildBlockers(
  store: Store,
  suspended: readonly SuspendedNode[],
  resume: ResumeRemedy,
): Promise<Blocker[]> {
  const blockers: Blocker[] = [];
  for (const { node, child } of suspended) {
    const last = (await newestOfChain(store, child.runId)) ?? child;
    if (!isTerminal(last.status)) continue;
    const { nodeId, iteration } = node;
    blockers.push({
      kind: "decision-pending",
      nodeId,
      iteration,
      sinceMs: last.finishedAtMs,
      summary: `The child run ${last.runId} of ${nodeId} is ${last.status}; a process has to take that up.`,
      remedy: resume,
    });
  }
  return blockers;
}
