import { defineCommand } from "../command.js";
import { wholeNumber } from "../input/option-values.js";
import { remedyCommand } from "../output/remedy-text.js";
import { taskName } from "../output/task-name.js";
import { parseTaskKey } from "../../model/address.js";
import { createCommandText } from "../runs/command-text.js";
import { refuseInsideTask } from "../../operations/workspace/outside-tasks.js";
import { openRun, runArgument } from "../runs/with-run.js";

interface RetryOptions {
  iteration?: number;
  dependents: boolean;
  force?: boolean;
  dryRun?: boolean;
  up?: boolean;
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
      .option("--dry-run", "only show which tasks would run again");
  },
  async run(call) {
    const { terminal, options, args } = call;
    const { run, store, path } = await openRun(call, { readOnly: true });
    // It is the workflow that opens the database for writing.
    if (options.dryRun !== true) await refuseInsideTask(terminal, store);
    await store.close();
    const [{ loadRunWorkflow }, operation] = await Promise.all([
      import("../drive/load-run-workflow.js"),
      import("../../operations/retry-task.js"),
    ]);
    const workflow = await loadRunWorkflow(run, { cwd: terminal.cwd, databasePath: path });
    const { iteration, dependents, force = false, dryRun = false } = options;
    const reset = await operation.resetTask(workflow, {
      runId: run.runId,
      nodeId: args[1] as string,
      resetDependents: dependents,
      force,
      dryRun,
      ...(iteration !== undefined && { iteration }),
    });
    const names = reset.resetNodes.map((key) => taskName(parseTaskKey(key)));
    const commandText = createCommandText(options);
    if (options.up === true && !dryRun) {
      terminal.err.line(`runs again: ${names.join(", ")}`);
      const [{ driveRun }, { createExitReport, createStrayText, reportRun }] = await Promise.all([
        import("../drive/drive-run.js"),
        import("../drive/report-run.js"),
      ]);
      const outcome = await driveRun({
        workflow,
        options: { runId: run.runId, resume: true },
        terminal,
        wait: false,
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
