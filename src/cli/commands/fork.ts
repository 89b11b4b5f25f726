import { parseTaskKey } from "../../model/address.js";
import type { ForkResult } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect, wholeNumber } from "../input/option-values.js";
import { refuseOwnCodeAtGateway } from "../input/own-code.js";
import { applyAssignments } from "../input/set-values.js";
import type { Colors } from "../output/styles.js";
import { taskName } from "../output/task-name.js";
import { followUp } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";
import type { Terminal } from "../terminal.js";

interface ForkOptions {
  frame?: number;
  node?: string;
  iteration?: number;
  input?: string;
  set?: string[];
  reset?: string[];
  label?: string;
  runId?: string;
  up?: boolean;
  acceptWorkflowChange?: boolean;
  dryRun?: boolean;
}

export const fork = defineCommand<ForkOptions>({
  examples: [
    { command: "treadle fork k3j2 --frame 12 --dry-run", meaning: "what a new run of frame 12 would keep" },
    {
      command: "treadle fork latest --node review --up",
      meaning: "begin again before review ended, on the code of now, and continue",
    },
    { command: "treadle fork k3j2 --set env=staging --reset build", meaning: "with another input" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .option("--frame <n>", "the frame to begin at (default: the newest)", wholeNumber("--frame"))
      .option("-n, --node <id>", "instead: the newest frame at which this task had not ended")
      .option("--iteration <n>", "of --node (default: its newest)", wholeNumber("--iteration"))
      .option(
        "-i, --input <json>",
        "members that replace those of the run's input: JSON, @file or - (default: {})",
      )
      .option("--set <key=value>", "one such member; may be repeated", collect)
      .option("--reset <task>", "a task that runs again, with what depends on it; may be repeated", collect)
      .option("--label <text>", "a name that is kept with the new run")
      .option("-r, --run-id <id>", "id of the new run (default: a random one)")
      .option("--up", "continue with the new run at once")
      .option("--accept-workflow-change", "although files of the workflow have changed since")
      .option("--dry-run", "only show what would be kept");
  },
  async run(call) {
    const { terminal, options } = call;
    refuseOwnCodeAtGateway(options);
    const { frame, node, iteration, label, runId: newRunId, reset, dryRun = false } = options;
    const { acceptWorkflowChange = false } = options;
    const input = await changedMembers(options, terminal);
    const { place, run } = await openNamed(call, { readOnly: dryRun });
    const made = await place.forkRun({
      runId: run.runId,
      dryRun,
      acceptWorkflowChange,
      ...(frame !== undefined && { frameNo: frame }),
      ...(node !== undefined && { nodeId: node }),
      ...(iteration !== undefined && { iteration }),
      ...(input !== undefined && { input }),
      ...(reset !== undefined && { resetNodes: reset }),
      ...(label !== undefined && { label }),
      ...(newRunId !== undefined && { newRunId }),
    });
    if (made.runId === null) return { json: { ...made, dryRun }, text: (colors) => forkText(made, colors) };
    if (options.up === true) {
      terminal.err.line(forkText(made, terminal.err.colors));
      const { continueRun } = await import("../drive/continue-run.js");
      return continueRun(call, made.runId, { acceptWorkflowChange });
    }
    const next = followUp("no-process", { remedy: await place.resumeRemedy(made.runId), call });
    return {
      json: { ...made, dryRun, ...next.json },
      text: (colors) => [forkText(made, colors), next.text(colors)].join("\n"),
    };
  },
});

/** Undefined where the input stays as it is. @throws CLI_USAGE */
async function changedMembers(
  { input, set }: ForkOptions,
  terminal: Terminal,
): Promise<Record<string, unknown> | undefined> {
  if (input === undefined && set === undefined) return undefined;
  const given =
    input === undefined ? {} : await readJsonObject({ option: "--input", value: input }, terminal);
  return applyAssignments(given, set ?? []);
}

function forkText(made: ForkResult, colors: Colors): string {
  const { runId, parentRunId, frameNo, keptNodes, resetNodes, laterNodes } = made;
  const namesOf = (keys: readonly string[]) => keys.map((key) => taskName(parseTaskKey(key))).join(", ");
  const is = runId === null ? "A new run would be" : `Run ${colors.bold(runId)} is`;
  return [
    `${is} what ${parentRunId} was in frame ${frameNo}.`,
    keptNodes.length > 0 ? `  done already  ${namesOf(keptNodes)}` : "  nothing is done in it yet",
    ...(resetNodes.length > 0 ? [`  run again     ${namesOf(resetNodes)}`] : []),
    // What they did outside is there, and happens again.
    ...(laterNodes.length > 0
      ? [colors.yellow(`  begun since   ${namesOf(laterNodes)}: each runs once more in the new run`)]
      : []),
  ].join("\n");
}
