import { remedyCommand } from "../../operations/index.js";
import { isAbsolute } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";

/**
 * The workflow file of a run.
 * @throws CLI_USAGE for a run that a program started without saying where its workflow is
 */
export function workflowFileOf({ runId, workflowPath }: RunRow): string {
  if (workflowPath !== null && isAbsolute(workflowPath)) return workflowPath;
  const command = remedyCommand({ action: "resume", runId, needsWorkflow: true });
  throw new ServiceError("CLI_USAGE", `Run ${runId} does not say which file it belongs to: \`${command}\`.`, {
    details: { runId, workflowPath },
  });
}
