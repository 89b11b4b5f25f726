import { hasEndedForGood, isTerminal } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { exitCodeOfStatus, SIGNAL_EXIT } from "../exit-codes.js";
import { jsonText } from "../output/json-text.js";
import { currentAttempt } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import { errorText } from "../output/error-report.js";
import type { DocumentWriter } from "../output/document-writer.js";
import { withFix } from "../output/remedy-text.js";
import { reportError } from "../output/report-error.js";
import type { Report } from "../report.js";
import type { Terminal } from "../terminal.js";
import { explainRun, groupBlockers, remedyCommand } from "../../operations/index.js";
import type { DriveOutcome } from "./drive-in-terminal.js";
import { type SummaryOptions, summaryText } from "./summary.js";
import { ServiceDb } from "../../store/index.js";

export interface RunReportContext {
  workflow: ServiceWorkflow;
  terminal: Terminal;
  commandText(command: string): string;
}

type Reported = Omit<RunReportContext, "commandText"> & Pick<SummaryOptions, "commandText">;

/** For uncaught errors that are no task's: what happened, and that the run continues. */
export function createStrayText(
  { err, environment }: Terminal,
  commandText: RunReportContext["commandText"],
): (error: Error) => string {
  const showStack = (environment.SERVICE_DEBUG ?? "") !== "";
  return (error) =>
    `${errorText(error, { colors: err.colors, showStack, commandText })}\nIt was not caught and belongs to no task in progress; the run continues.`;
}

/** For code that ends the process in the middle of a run: who did, and how to continue. */
export function createExitReport(
  { terminal, commandText }: Pick<RunReportContext, "terminal" | "commandText">,
  documents: DocumentWriter | undefined,
): (code: number, runId: string) => void {
  return (exitCode, runId) => {
    const nodeId = currentAttempt()?.runtime.nodeId;
    const who = nodeId === undefined ? "The workflow's code" : `Task ${nodeId}`;
    const error = new ServiceError(
      "TASK_EXITED_PROCESS",
      `${who} ended the process with process.exit(${exitCode}) in the middle of the run.`,
      { details: { runId, exitCode, ...(nodeId !== undefined && { nodeId }) } },
    );
    reportError(error, { terminal, documents, commandText });
    if (runId !== "")
      terminal.err.line(`  continue ${commandText(remedyCommand({ action: "resume", runId }))}`);
  };
}

/**
 * Writes the summary of a driven run to stderr and returns its result: the rows
 * of schema key `output`, or else, in a pipe, the id.
 */
export async function reportRun(outcome: DriveOutcome, context: Reported): Promise<Report> {
  const { workflow, terminal, commandText } = context;
  const { result, stoppedBy } = outcome;
  const { status, runId } = result;
  const isOver = hasEndedForGood(result);
  const all = isOver ? [] : (await explainRun(new ServiceDb(workflow.db), runId)).blockers;
  const blockers = groupBlockers(all);
  const { colors } = terminal.err;
  terminal.err.line(
    summaryText(outcome, { colors, nowMs: Date.now(), blockers, runner: terminal.runner, commandText }),
  );
  const isLeft = stoppedBy !== undefined && !isTerminal(status);
  return {
    json: {
      ...result,
      ...(isLeft && { stoppedBy }),
      ...(blockers.length > 0 && {
        blockers:
          commandText === undefined ? blockers : blockers.map((blocker) => withFix(blocker, commandText)),
      }),
      ...(!isOver &&
        commandText !== undefined && { resume: commandText(remedyCommand({ action: "resume", runId })) }),
    },
    text() {
      if (result.output !== undefined) return jsonText(result.output);
      // In a pipe the id is what the next command needs; on a terminal the summary has just said it.
      return terminal.out.isTty ? "" : runId;
    },
    exitCode: isLeft ? SIGNAL_EXIT[stoppedBy] : exitCodeOfStatus(status),
  };
}
