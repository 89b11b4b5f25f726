import type { RunList, RunListFilter } from "../../operations/index.js";
import type { CommandCall } from "../command.js";

const CODE_ENDING = /\.[cm]?[jt]sx?$/;

/**
 * The name on `<Workflow>` that a person means who chooses runs: that name itself, the file of a workflow, or the
 * name under which the workspace or the gateway has it.
 * @param list gives a page of the runs
 * @throws as loadWorkflow for a file
 */
export async function workflowNameOf(
  call: CommandCall,
  reference: string | undefined,
  list: (filter: RunListFilter) => Promise<RunList>,
): Promise<string | undefined> {
  if (reference === undefined) return undefined;
  const isFile = CODE_ENDING.test(reference);
  if (!isFile && (await list({ workflowName: reference, limit: 1 })).runs.length > 0) return reference;
  const { openWorkflows } = await import("../source/open-workflows.js");
  const workflows = await openWorkflows(call);
  try {
    return (await workflows.inspect(reference, {})).workflowName ?? reference;
  } catch (error) {
    // There may be runs of a workflow that is not there any more; none has this name.
    if (isFile) throw error;
    return reference;
  }
}

/** The key that gateways have a workflow under: that of a file in `.service/workflows` is its name. */
export function workflowKeyOf(reference: string): string {
  return reference.replace(/^.*[/\\]/, "").replace(CODE_ENDING, "");
}
