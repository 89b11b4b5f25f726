import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import type { RunOptions } from "../../model/run-options.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect, duration, positiveInteger, queueName, wholeNumber } from "../input/option-values.js";
import type { Terminal } from "../terminal.js";

/** Options of `treadle up` that say how a run runs; given to a resume, they replace what the run has kept. */
export interface RunOptionFlags {
  maxConcurrency?: number;
  maxInterruptions?: number;
  queue?: string;
  root?: string;
  recordVcs?: boolean;
  allowNetwork?: boolean;
  toolIsolation?: "required" | "none";
  writable?: string[];
  toolTimeout?: number;
  scorerTimeout?: number;
  maxOutputBytes?: number;
  agentTools?: "all" | "explicit-only";
  config?: string;
  logDir?: string;
}

export function addRunOptionFlags(command: Command): Command {
  return command
    .optionsGroup("How it runs:")
    .option("-c, --max-concurrency <n>", "tasks at once (default: 4)", positiveInteger("--max-concurrency"))
    .option(
      "--max-interruptions <n>",
      "attempts of a task in a row that may die with their process; 0 = any number (default: 10)",
      wholeNumber("--max-interruptions"),
    )
    .option(
      "--queue <name>",
      "workers of this queue execute the tasks that name none (default: this process does)",
      queueName("--queue"),
    )
    .option("--config <json>", "object that the workflow reads as ctx.config: JSON, @file or -")
    .option("--root <dir>", "folder that file tools are bound to (default: the current folder)")
    .option(
      "--writable <path>",
      "path below the root that tools may change although they leave such alone; may be repeated",
      collect,
    )
    .option("--no-record-vcs", "do not record the files of a git or jj repository before and after tasks")
    .option("--allow-network", "let the bash tool use the network")
    .addOption(
      new Option(
        "--tool-isolation <kind>",
        '"none" gives commands and command-line agents all rights of the user, with --allow-network (default: required)',
      ).choices(["required", "none"]),
    )
    .option(
      "--tool-timeout <duration>",
      "time that a tool call may take (default: 60s)",
      duration("--tool-timeout"),
    )
    .option(
      "--max-output-bytes <n>",
      "bytes kept of a tool's output (default: 200000)",
      positiveInteger("--max-output-bytes"),
    )
    .option(
      "--scorer-timeout <duration>",
      "time that a scorer may take, and that the run's end waits for its scores (default: 60s)",
      duration("--scorer-timeout"),
    )
    .addOption(
      new Option(
        "--agent-tools <which>",
        "tools of command-line agents that name none: all of their own, or only those named (default: all)",
      ).choices(["all", "explicit-only"]),
    )
    .option("--log-dir <dir>", "folder that gets the run's events, as <run>.ndjson");
}

/** @throws CLI_USAGE */
export async function readRunOptionFlags(flags: RunOptionFlags, terminal: Terminal): Promise<RunOptions> {
  const { config, root, logDir, toolTimeout, scorerTimeout, agentTools } = flags;
  const inFolder = (path: string) => resolve(terminal.cwd, path);
  const given: RunOptions = {
    ...pick(flags, [
      "maxConcurrency",
      "maxInterruptions",
      "queue",
      "allowNetwork",
      "toolIsolation",
      "writable",
      "maxOutputBytes",
    ]),
    // Without the flag it is true, which a resume must not take for a wish.
    ...(flags.recordVcs === false && { recordVcs: false }),
    ...(root !== undefined && { rootDir: inFolder(root) }),
    ...(logDir !== undefined && { logDir: inFolder(logDir) }),
    ...(toolTimeout !== undefined && { toolTimeoutMs: toolTimeout }),
    ...(scorerTimeout !== undefined && { scorerTimeoutMs: scorerTimeout }),
    ...(agentTools !== undefined && { cliAgentToolsDefault: agentTools }),
  };
  if (config === undefined) return given;
  return { ...given, config: await readJsonObject({ option: "--config", value: config }, terminal) };
}

/** @throws CLI_USAGE */
export async function readAnnotations(
  text: string | undefined,
  terminal: Terminal,
): Promise<Pick<RunOptions, "annotations">> {
  if (text === undefined) return {};
  const given = await readJsonObject({ option: "--annotations", value: text }, terminal);
  const wrong = Object.entries(given).find(
    ([, value]) => !["string", "number", "boolean"].includes(typeof value),
  );
  if (wrong === undefined) return { annotations: given as NonNullable<RunOptions["annotations"]> };
  throw new ServiceError("CLI_USAGE", `--annotations: ${wrong[0]} is not a text, number or boolean.`);
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const given = names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]] as const]));
  return Object.fromEntries(given) as Pick<T, K>;
}
