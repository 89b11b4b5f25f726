import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import { readTextArgument } from "../input/json-argument.js";
import { wholeNumber } from "../input/option-values.js";
import { taskNames } from "../output/task-name.js";
import { parseTaskKey } from "../../model/address.js";
import { followUp } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface RetryOptions {
  iteration?: number;
  dependents: boolean;
  withPrompt?: string;
  force?: boolean;
  dryRun?: boolean;
  up?: boolean;
  acceptWorkflowChange?: boolean;
  yes?: boolean;
}

export const retryTask = defineCommand<RetryOptions>({
  examples: [
    { command: "treadle retry-task latest build --dry-run", meaning: "which tasks would run again" },
    {
      command: "treadle retry-task k3j2 build --up",
      meaning: "reset build and what depends on it, and continue",
    },
    {
      command: "treadle retry-task k3j2 review --with-prompt @review.md --up",
      meaning: "ask the agent of review something else",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<node>", "id of the task to run again")
      .option("--iteration <n>", "loop iteration (default: 0)", wholeNumber("--iteration"))
      .option("--no-dependents", "leave the tasks that depend on it as they are")
      .option(
        "--with-prompt <text>",
        "for the task's agent, until the task is retried again: the text, @file or - for standard input (default: the workflow's)",
      )
      .option("--force", "take the run over even if a process seems to drive it")
      .option("--up", "continue the run at once")
      .option("--accept-workflow-change", "although files of the workflow have changed since")
      .option("--dry-run", "only show which tasks would run again")
      .option("-y, --yes", "do not ask; needed without a terminal");
  },
  async run(call) {
    const { terminal, options, args } = call;
    refuseOwnCodeAtGateway(options);
    const { place, run } = await openNamed(call, { readOnly: options.dryRun === true });
    const { iteration, dependents, force = false, dryRun = false, yes = false } = options;
    const { acceptWorkflowChange = false } = options;
    const request = {
      runId: run.runId,
      nodeId: args[1] as string,
      resetDependents: dependents,
      force,
      ...(iteration !== undefined && { iteration }),
      ...(options.withPrompt !== undefined && {
        prompt: (await readTextArgument({ option: "--with-prompt", value: options.withPrompt }, terminal))
          .text,
      }),
    };
    const resetTask = async ({ isPreview }: { isPreview: boolean }) =>
      place.retryTask({ ...request, dryRun: isPreview, acceptWorkflowChange });
    const namesOf = ({ resetNodes }: { resetNodes: readonly string[] }) =>
      taskNames(resetNodes.map(parseTaskKey));
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
    const { resetNodes, seq } = dryRun ? preview : await resetTask({ isPreview: false });
    const names = namesOf({ resetNodes });
    if (options.up === true && !dryRun) {
      terminal.err.line(`runs again: ${names.join(", ")}`);
      const { continueRun } = await import("../drive/continue-run.js");
      return continueRun(call, run.runId, { acceptWorkflowChange });
    }
    const next = followUp(!dryRun && (await place.isDriven(run.runId)) ? "driver" : "no-process", {
      remedy: await place.resumeRemedy(run.runId),
      call,
    });
    return {
      json: { runId: run.runId, dryRun, success: true, resetNodes, seq, ...(!dryRun && next.json) },
      text: (colors) =>
        [
          ...names,
          dryRun ? `${names.length} would run again` : `${names.length} reset`,
          ...(dryRun ? [] : [next.text(colors)]),
        ].join("\n"),
    };
  },
});
