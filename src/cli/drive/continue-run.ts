import { findRun, openWorkspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import type { Report } from "../report.js";
import { createCommandText } from "../runs/command-text.js";
import { driveInTerminal } from "./drive-in-terminal.js";
import { loadToContinue } from "./load-run-workflow.js";
import { createExitReport, createStrayText, reportRun } from "./report-run.js";

/** Continues with a run of the database here, as `up --resume` does. @throws as loadToContinue, runWorkflow */
export async function continueRun(
  { terminal, options, documents }: CommandCall,
  runId: string,
  { acceptWorkflowChange = false }: { acceptWorkflowChange?: boolean } = {},
): Promise<Report> {
  const workspace = await openWorkspace(terminal, { ...options, readOnly: true });
  const run = await findRun(workspace.store, runId);
  const workflow = await loadToContinue(run, { terminal, workspace, acceptWorkflowChange });
  const commandText = createCommandText({ terminal, options });
  const outcome = await driveInTerminal({
    workflow,
    options: { runId: run.runId, resume: true, acceptWorkflowChange },
    terminal,
    progress: "normal",
    commandText,
    strayText: createStrayText(terminal, commandText),
    onExit: createExitReport({ terminal, commandText }, documents),
  });
  return reportRun(outcome, { workflow, terminal, commandText });
}
