import { ServiceError } from "../../errors/service-error.js";
import { type RunHistogram, type RunHistogramFilter, runHistogram } from "../../operations/index.js";
import { nameOf } from "./registered-workflow.js";
import type { GatewayWorkspace } from "./workspace.js";

/** Runs of all databases, or of one workflow's, by time. @throws WORKFLOW_NOT_FOUND, INVALID_INPUT */
export async function countAllRuns(
  workspace: GatewayWorkspace,
  { workflow: key, ...filter }: RunHistogramFilter & { workflow?: string },
): Promise<RunHistogram> {
  const nowMs = workspace.clock.now();
  if (key === undefined) return runHistogram(workspace.databases(), filter, nowMs);
  const { workflow, db } = workspace.workflow(key);
  const workflowName = filter.workflowName ?? nameOf(workflow);
  if (workflowName === null) {
    throw new ServiceError(
      "INVALID_INPUT",
      `Runs of ${JSON.stringify(key)} cannot be counted: its name depends on the input. Give workflowName in place of workflow.`,
      { details: { workflow: key } },
    );
  }
  return runHistogram([db], { ...filter, workflowName }, nowMs);
}
