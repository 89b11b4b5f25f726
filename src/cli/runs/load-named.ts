import type { LoadedWorkflow, LoadOptions } from "../../loader/load-workflow.js";
import { resolveWorkflow } from "../../operations/index.js";

/** Loads the workflow that a path or a name means. @throws as resolveWorkflow and loadWorkflow */
export async function loadNamed(reference: string, options: LoadOptions): Promise<LoadedWorkflow> {
  const file = resolveWorkflow(reference, options.cwd);
  const { loadWorkflow } = await import("../../loader/load-workflow.js");
  return loadWorkflow(file, options);
}
