import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import type { HandAction } from "../../model/by-hand.js";
import { remedyCommand } from "../../operations/index.js";
import type { CliCommand, Example } from "../command.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { readJsonObject } from "../input/json-argument.js";
import { userName, wholeNumber } from "../input/option-values.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import { taskNames } from "../output/task-name.js";
import { createCommandText } from "../runs/command-text.js";
import { followUpOf } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface HandOptions {
  iteration?: number;
  data?: string;
  note?: string;
  by?: string;
  up?: boolean;
  acceptWorkflowChange?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** `complete-task` and `skip-task`: it is checked, a person confirms, it is kept for the run. */
export function handCommand({
  action,
  examples,
}: {
  action: HandAction;
  examples: readonly Example[];
}): CliCommand {
  return defineCommand<HandOptions>({
    examples,
    gateway: "asked",
    configure: (command) => addOptions(command, action),
    async run(call) {
      const { terminal, options, args } = call;
      const { dryRun = false, yes = false, iteration, note, by, acceptWorkflowChange = false } = options;
      refuseOwnCodeAtGateway(options);
      const { place, run } = await openNamed(call, { readOnly: dryRun });
      const { runId } = run;
      const nodeId = args[1] as string;
      const address = {
        runId,
        nodeId,
        ...(iteration !== undefined && { iteration }),
        ...(note !== undefined && { note }),
      };
      const row = action === "complete" ? await readRow(options.data, terminal) : undefined;
      const act = async ({ isPreview }: { isPreview: boolean }) =>
        row === undefined
          ? place.skipTask({ ...address, dryRun: isPreview, ...(by !== undefined && { skippedBy: by }) })
          : place.completeTask({
              ...{ ...address, output: row, dryRun: isPreview },
              ...(by !== undefined && { completedBy: by }),
            });
      const checked = await act({ isPreview: true });
      const [name = nodeId] = taskNames([checked]);
      if (dryRun) {
        return {
          json: { dryRun, runId, nodeId, iteration: checked.iteration, needsResume: checked.needsResume },
          text: () => `${name} can be ${action === "complete" ? "completed" : "skipped"}.`,
        };
      }
      if (!yes && row !== undefined) terminal.err.line(JSON.stringify(row, null, 2));
      const question =
        row === undefined ? `Leave ${name} out?` : `Give ${name} this row, in the place of an attempt?`;
      if (!(await confirm(question, { terminal, yes }))) {
        return { json: { done: false }, text: () => "Nothing was done.", exitCode: EXIT.cancelled };
      }
      const done = await act({ isPreview: false });
      if (options.up === true) {
        const { continueRun } = await import("../drive/continue-run.js");
        return continueRun(call, runId, { acceptWorkflowChange });
      }
      const said = action === "complete" ? `completed ${name}` : `skipped ${name}`;
      if (done.needsResume) {
        const resume = createCommandText(call)(remedyCommand(await place.resumeRemedy(runId)));
        return {
          json: { ...done, driven: false, resume },
          text: (colors) =>
            `${colors.green("✓")} ${said}\n  The run has failed; to continue it with this: ${colors.cyan(resume)}`,
        };
      }
      const next = await followUpOf(call, place, runId);
      return {
        json: { ...done, ...next.json },
        text: (colors) => `${colors.green("✓")} ${said}\n${next.text(colors)}`,
      };
    },
  });
}

function readRow(
  data: string | undefined,
  terminal: Parameters<typeof readJsonObject>[1],
): Promise<Record<string, unknown>> {
  if (data !== undefined) return readJsonObject({ option: "--data", value: data }, terminal);
  throw new ServiceError(
    "CLI_USAGE",
    "--data is needed: the row of the task as JSON, @file or - for standard input.",
    {
      details: { option: "--data" },
    },
  );
}

function addOptions(command: Command, action: HandAction): void {
  command
    .addArgument(runArgument())
    .argument("<node>", `id of the task to ${action}`)
    .option("--iteration <n>", "loop iteration (default: 0)", wholeNumber("--iteration"));
  if (action === "complete") {
    command.option("-d, --data <json>", "the row of the task, as JSON, @file or - for standard input");
  }
  command
    .option("--note <text>", "why; kept in the log")
    .option(
      "--by <user>",
      "who does it (default: the user of this machine; of a gateway whom it has let in)",
      userName("--by"),
    )
    .option("--up", "continue the run at once")
    .option("--accept-workflow-change", "although files of the workflow have changed since")
    .option("--dry-run", "only check whether it can be done")
    .option("-y, --yes", "do not ask; needed without a terminal");
}
