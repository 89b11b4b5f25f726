import { newId } from "../../util/ids.js";
import type { CommandCall } from "../command.js";
import type { Report } from "../report.js";
import { createCommandText } from "../runs/command-text.js";
import { loadDriver, prepareRun, type UpOptions } from "./prepare-run.js";
import { checkServeFlags } from "./serve-flags.js";

/** Starts or continues a run and stays with it, as `up` was asked to. @throws as prepareRun, runWorkflow */
export async function driveHere(call: CommandCall<UpOptions>): Promise<Report> {
  const { terminal, options } = call;
  checkServeFlags(options);
  const { workflow, run: prepared } = await prepareRun(call);
  const run = { ...prepared, runId: prepared.runId ?? newId() };
  const { serveRun } = options.serve === true ? await import("./serve-run.js") : {};
  const serving = await serveRun?.({ workflow, runId: run.runId }, options, terminal);
  const [{ driveInTerminal }, { createExitReport, createStrayText, reportRun }] = await loadDriver();
  const commandText = createCommandText(options);
  const outcome = await driveInTerminal({
    workflow,
    options: run,
    terminal,
    wait: serving === undefined ? options.wait : true,
    progress: options.quiet === true ? "quiet" : options.verbose === true ? "verbose" : "normal",
    strayText: createStrayText(terminal),
    onExit: createExitReport({ terminal, commandText }, call.documents),
  });
  const report = await reportRun(outcome, { workflow, terminal, commandText });
  if (outcome.stoppedBy === undefined) await serving?.untilStopped();
  await serving?.close();
  return report;
}
