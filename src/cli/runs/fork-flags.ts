import type { Command } from "commander";
import { parseTaskKey } from "../../model/address.js";
import type { ForkResult, ForkRunOptions } from "../../operations/index.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect, wholeNumber } from "../input/option-values.js";
import { applyAssignments } from "../input/set-values.js";
import type { Colors } from "../output/styles.js";
import { taskNames } from "../output/task-name.js";
import type { Terminal } from "../terminal.js";

/** Which moment of a run a new one is made of, and what is different in that. */
export interface ForkFlags {
  frame?: number;
  node?: string;
  iteration?: number;
  input?: string;
  set?: string[];
  reset?: string[];
  label?: string;
  runId?: string;
  acceptWorkflowChange?: boolean;
  dryRun?: boolean;
}

export function addForkFlags(command: Command): Command {
  return command
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
    .option("--accept-workflow-change", "although files of the workflow have changed since")
    .option("--dry-run", "only show what would be kept");
}

/** @throws CLI_USAGE */
export async function forkRequest(
  { runId, flags }: { runId: string; flags: ForkFlags },
  terminal: Terminal,
): Promise<ForkRunOptions & { acceptWorkflowChange: boolean }> {
  const { frame, node, iteration, label, runId: newRunId, reset, dryRun = false } = flags;
  const input = await changedMembers(flags, terminal);
  return {
    runId,
    dryRun,
    acceptWorkflowChange: flags.acceptWorkflowChange ?? false,
    ...(frame !== undefined && { frameNo: frame }),
    ...(node !== undefined && { nodeId: node }),
    ...(iteration !== undefined && { iteration }),
    ...(input !== undefined && { input }),
    ...(reset !== undefined && { resetNodes: reset }),
    ...(label !== undefined && { label }),
    ...(newRunId !== undefined && { newRunId }),
  };
}

/** Undefined where the input stays as it is. @throws CLI_USAGE */
async function changedMembers(
  { input, set }: ForkFlags,
  terminal: Terminal,
): Promise<Record<string, unknown> | undefined> {
  if (input === undefined && set === undefined) return undefined;
  const given =
    input === undefined ? {} : await readJsonObject({ option: "--input", value: input }, terminal);
  return applyAssignments(given, set ?? []);
}

export function forkText(made: ForkResult, colors: Colors): string {
  const { runId, parentRunId, frameNo, keptNodes, resetNodes, laterNodes } = made;
  const namesOf = (keys: readonly string[]) => taskNames(keys.map(parseTaskKey)).join(", ");
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
