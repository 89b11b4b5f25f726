import { defineCommand } from "../command.js";
import { loadDriver, prepareRun, type UpOptions } from "../drive/prepare-run.js";
import { collect } from "../input/option-values.js";
import { addRunOptionFlags } from "../drive/run-option-flags.js";
import { newId } from "../../util/ids.js";
import { addServeFlags, checkServeFlags } from "../drive/serve-flags.js";
import { createCommandText } from "../runs/command-text.js";

export const up = defineCommand<UpOptions>({
  examples: [
    { command: "treadle up report.tsx --set path=.", meaning: "start a run and stay with it" },
    { command: "treadle up deploy.tsx --input @input.json --json", meaning: "result as one JSON document" },
    { command: "treadle up --resume", meaning: "continue the newest run that was stopped, failed or waits" },
  ],
  configure(command) {
    command
      .argument("[file]", "workflow file; not needed with --resume")
      .optionsGroup("Start:")
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: {})")
      .option("--set <key=value>", "one member of the input; may be repeated", collect)
      .option("-r, --run-id <id>", "id of the run; the same id and input again give the same run")
      .option("--no-preflight", "do not ask the agents of the first frame first whether they can work")
      .option("--annotations <json>", "object of texts, numbers and booleans kept with the run")
      .optionsGroup("Continue:")
      .option("--resume [run]", "continue this run (default: the newest resumable one)")
      .option("--accept-workflow-change", "go on although the workflow has changed since")
      .option("--force", "take the run over even if a process seems to drive it");
    addServeFlags(addRunOptionFlags(command))
      .optionsGroup("How long it stays:")
      .option("--wait", "stay also for approvals and signals that have no deadline")
      .option("--no-wait", "stay for nothing: exit with 3 as soon as the run only waits")
      .optionsGroup("What is shown:")
      .option("-v, --verbose", "also what tasks and agents write")
      .option("-q, --quiet", "only the summary")
      .addHelpText("after", EXIT_CODES);
  },
  async run(call) {
    const { terminal, options } = call;
    checkServeFlags(options);
    const { workflow, run: prepared } = await prepareRun(call);
    const run = { ...prepared, runId: prepared.runId ?? newId() };
    const { serveRun } = options.serve === true ? await import("../drive/serve-run.js") : {};
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
  },
});

const EXIT_CODES = `
Exit codes: 0 finished, 1 failed, 2 cancelled, 3 waiting, 4 wrong call, 130 SIGINT, 143 SIGTERM.
The first Ctrl-C stops and leaves the run resumable; the second one ends at once.`;
