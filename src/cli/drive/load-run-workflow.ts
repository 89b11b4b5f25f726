import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { type LoadOptions, loadWorkflow } from "../../loader/load-workflow.js";
import { workflowFileOf } from "./workflow-file.js";
import { ServiceError } from "../../errors/service-error.js";
import { codeCheck, keepRefusal, openWorkspace, type Workspace } from "../../operations/index.js";
import { chooseDatabase } from "../../store/index.js";
import type { Terminal } from "../terminal.js";
import { requireDatabase } from "./use-database.js";

/**
 * Loads the workflow of a stored run, from the file that it names unless another one is given.
 * @throws what `beforeRun` throws; CLI_USAGE when the run names none, or the file keeps its runs in another database
 */
export function loadRunWorkflow(
  run: RunRow,
  {
    file,
    ...options
  }: DatabaseOptions & Required<Pick<LoadOptions, "beforeRun">> & { file?: string | undefined },
): Promise<ServiceWorkflow> {
  return loadWorkflowOf({ ...options, file: file ?? workflowFileOf(run) });
}

/**
 * As loadRunWorkflow, to continue the run: code that has changed does not run unless that is accepted. A refusal is
 * kept with the run.
 * @throws RESUME_METADATA_MISMATCH
 */
export async function loadToContinue(
  run: RunRow,
  { terminal, workspace, acceptWorkflowChange, ...options }: ContinueOptions,
): Promise<ServiceWorkflow> {
  const { store, path } = workspace;
  const beforeRun = await codeCheck(store, run, { acceptWorkflowChange });
  await store.close();
  try {
    return await loadRunWorkflow(run, { cwd: terminal.cwd, databasePath: path, ...options, beforeRun });
  } catch (error) {
    if (ServiceError.is(error, "RESUME_METADATA_MISMATCH")) {
      const writable = await openWorkspace(terminal, { db: path });
      await keepRefusal(writable.store, run.runId, { error, nowMs: writable.store.clock.now() });
      await writable.store.close();
    }
    throw error;
  }
}

interface ContinueOptions extends Pick<LoadOptions, "longLoad" | "meanwhile"> {
  terminal: Terminal;
  /** Where the run was found; closed before its workflow opens the same. */
  workspace: Workspace;
  acceptWorkflowChange: boolean;
  /** @default the run's own */
  file?: string | undefined;
}

type DatabaseOptions = LoadOptions & { databasePath: string };

/** Loads a workflow file whose runs are in this database. @throws CLI_USAGE when they are not */
export async function loadWorkflowOf({
  databasePath,
  file,
  ...options
}: DatabaseOptions & { file: string }): Promise<ServiceWorkflow> {
  chooseDatabase(databasePath);
  const { workflow } = await loadWorkflow(file, options);
  requireDatabase(workflow, { cwd: options.cwd, databasePath });
  return workflow;
}
