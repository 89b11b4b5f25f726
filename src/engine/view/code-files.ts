import type { RunSession } from "../session/session.js";

/** Files of the newest code that the run continues with; tools do not change them. */
export function codeFiles({
  workflowPath,
  view,
}: Pick<RunSession, "workflowPath" | "view">): readonly string[] {
  const { modules } = view.workflow;
  return workflowPath === null ? modules : [workflowPath, ...modules];
}
