import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { wholeNumber } from "../input/option-values.js";
import { remedyCommand } from "../output/remedy-text.js";
import { taskName } from "../output/task-name.js";
import { parseTaskKey } from "../../model/address.js";
import { createCommandText } from "../runs/command-text.js";
import { refuseInsideTask } from "../../operations/workspace/outside-tasks.js";
import { openNamedRun, runArgument } from "../runs/with-run.js";

interface RetryOptions {
  iteration?: number;
  dependents: boolean;
  force?: boolean;
  dryRun?: boolean;
  up?: boolean;
  yes?: boolean;
}

export const retryTask = defineCommand<RetryOptions>({
  examples: [
    { command: "treadle retry-task latest build --dry-run", meaning: "which tasks would run again" },
    {
      command: "treadle retry-task k3j2 build --up",
      meaning: "reset build and what depends on it, and go on",
    },
    { command: "treadle retry-task k3j2 build --no-dependents", meaning: "reset this one task only" },
  ],
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<node>", "id of the task to run again")
      .option("--iteration <n>", "loop iteration (default: 0)", wholeNumber("--iteration"))
      .option("--no-dependents", "leave what ran because of it as it is")
      .option("--force", "take the run over even if a process seems to drive it")
      .option("--up", "continue the run at once")
      .option("--dry-run", "only show which tasks would run again")
      .option("-y, --yes", "do not ask; needed where nobody can be asked");
  },
  async run(call) {
    const { terminal, options, args } = call;
    const { run, store, path } = await openNamedRun(call, { readOnly: true });
    // It is the workflow that opens the database for writing.
    if (options.dryRun !== true) await refuseInsideTask(terminal, store);
    await store.close();
    const [{ loadRunWorkflow }, operation] = await Promise.all([
      import("../drive/load-run-workflow.js"),
      import("../../operations/retry-task.js"),
    ]);
    const workflow = await loadRunWorkflow(run, { cwd: terminal.cwd, databasePath: path });
    const { iteration, dependents, force = false, dryRun = false, yes = false } = options;
    const resetTask = async ({ isPreview }: { isPreview: boolean }) =>
      operation.resetTask(workflow, {
        runId: run.runId,
        nodeId: args[1] as string,
        resetDependents: dependents,
        force,
        dryRun: isPreview,
        ...(iteration !== undefined && { iteration }),
      });
    const namesOf = ({ resetNodes }: { resetNodes: readonly string[] }) =>
      resetNodes.map((key) => taskName(parseTaskKey(key)));
    const preview = await resetTask({ isPreview: true });
    if (!dryRun && !yes) terminal.err.line(`These would run again:\n${namesOf(preview).join("\n")}`);
    const question = "Run them again? The rows that they wrote go.";
    if (!dryRun && !(await confirm(question, { terminal, yes }))) {
      return {
        json: { runId: run.runId, dryRun, resetNodes: [] },
        text: () => "Nothing was reset.",
        exitCode: EXIT.cancelled,
      };
    }
    const reset = dryRun ? preview : await resetTask({ isPreview: false });
    const names = namesOf(reset);
    const commandText = createCommandText(options);
    if (options.up === true && !dryRun) {
      terminal.err.line(`runs again: ${names.join(", ")}`);
      const [{ driveInTerminal }, { createExitReport, createStrayText, reportRun }] = await Promise.all([
        import("../drive/drive-in-terminal.js"),
        import("../drive/report-run.js"),
      ]);
      const outcome = await driveInTerminal({
        workflow,
        options: { runId: run.runId, resume: true },
        terminal,
        progress: "normal",
        strayText: createStrayText(terminal),
        onExit: createExitReport({ terminal, commandText }, call.documents),
      });
      return reportRun(outcome, { workflow, terminal, commandText });
    }
    const resume = commandText(remedyCommand({ action: "resume", runId: run.runId }));
    return {
      json: { runId: run.runId, dryRun, ...reset, ...(!dryRun && { resume }) },
      text: (colors) =>
        [
          ...names,
          dryRun
            ? `${names.length} would run again`
            : `${names.length} reset; go on with ${colors.cyan(resume)}`,
        ].join("\n"),
    };
  },
});
