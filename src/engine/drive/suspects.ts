import { type TaskKey, taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices } from "../ports.js";

/**
 * Open attempts that may have ended the process that ran them. Where runs were at work beside each other, it is unknown
 * which of them it was, and none is held to have done it.
 *
 * @param run as it was before this process claimed it
 */
export async function suspectsOf(
  { childRuns }: Pick<EngineServices, "childRuns">,
  { run, runSnapshot, frame }: { run: RunRow; runSnapshot: RunSnapshot; frame: RenderedFrame },
): Promise<Set<TaskKey>> {
  const suspects = new Set<TaskKey>();
  const hasDied = run.ownerId !== null || run.deaths > 0;
  if (!hasDied || run.inCompany) return suspects;
  const kinds = new Map(runSnapshot.nodes.map((row) => [taskKey(row), row.kind]));
  for (const attempt of runSnapshot.openAttempts) {
    const key = taskKey(attempt);
    if (kinds.get(key) === "subflow") {
      const task = frame.tasks.find(({ nodeId, iteration }) => taskKey({ nodeId, iteration }) === key);
      const workflow = task?.subflow?.workflow as ServiceWorkflow | undefined;
      const child = { runId: childRunId(run, attempt), sinceMs: attempt.startedAtMs };
      // The tasks of a child run count for themselves; without any, what its workflow itself did is this attempt.
      if (workflow === undefined || (await childRuns?.hasWorked(workflow, child)) !== false) continue;
    }
    suspects.add(key);
  }
  return suspects;
}
