import { resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { RunOptions } from "../../model/run-options.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { defineCommand, type CommandCall } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { collect, positiveInteger } from "../input/option-values.js";
import { applyAssignments } from "../input/set-values.js";
import { createCommandText } from "../runs/command-text.js";
import type { Terminal } from "../terminal.js";

interface UpOptions {
  input?: string;
  set?: string[];
  runId?: string;
  /** true = the newest resumable run. */
  resume?: string | true;
  maxConcurrency?: number;
  root?: string;
  allowNetwork?: boolean;
  annotations?: string;
  acceptWorkflowChange?: boolean;
  force?: boolean;
  wait?: boolean;
  verbose?: boolean;
  quiet?: boolean;
}

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
      .option("--annotations <json>", "object of texts, numbers and booleans kept with the run")
      .optionsGroup("Continue:")
      .option("--resume [run]", "continue this run (default: the newest resumable one)")
      .option("--accept-workflow-change", "go on although the workflow has changed since")
      .option("--force", "take the run over even if a process seems to drive it")
      .optionsGroup("How it runs:")
      .option("-c, --max-concurrency <n>", "tasks at once (default: 4)", positiveInteger("--max-concurrency"))
      .option("--root <dir>", "folder that file tools are bound to (default: the current folder)")
      .option("--allow-network", "let the bash tool use the network")
      .option("--wait", "stay also for approvals and signals that have no deadline")
      .optionsGroup("What is shown:")
      .option("-v, --verbose", "also what tasks and agents write")
      .option("-q, --quiet", "only the summary")
      .addHelpText("after", EXIT_CODES);
  },
  async run(call) {
    const { terminal, options } = call;
    // The parts that drive load while the workflow is compiled.
    const [{ workflow, run }, { driveRun }, { createCrashReport, reportRun }] = await Promise.all([
      prepare(call),
      import("../drive/drive-run.js"),
      import("../drive/report-run.js"),
    ]);
    const commandText = createCommandText(options);
    const outcome = await driveRun({
      workflow,
      options: run,
      terminal,
      wait: options.wait === true,
      progress: options.quiet === true ? "quiet" : options.verbose === true ? "verbose" : "normal",
      onCrash: createCrashReport({ terminal, commandText }, options),
    });
    return reportRun(outcome, { workflow, terminal, commandText });
  },
});

const EXIT_CODES = `
Exit codes: 0 finished, 1 failed, 2 cancelled, 3 waiting, 4 wrong call, 130 SIGINT, 143 SIGTERM.
The first Ctrl-C stops and leaves the run resumable; the second one ends at once.`;

interface Prepared {
  workflow: ServiceWorkflow;
  run: RunOptions;
}

async function prepare(call: CommandCall<UpOptions>): Promise<Prepared> {
  const { options } = call;
  const { file, reference } = targetOf(call);
  if (options.resume !== undefined) return prepareResume(call, { file, reference });
  if (file === undefined) throw usage("Name a workflow file, or a run with --resume.");
  for (const flag of ["acceptWorkflowChange", "force"] as const) {
    if (options[flag] === true) throw usage(`--${kebab(flag)} needs --resume.`);
  }
  const { terminal } = call;
  const [{ loadWorkflow }, { requireDatabase }, input, common] = await Promise.all([
    import("../loader/load-workflow.js"),
    import("../drive/load-run-workflow.js"),
    readInput(options, terminal),
    commonOptions(options, terminal),
  ]);
  const { workflow, path } = await loadWorkflow(file, terminal.cwd);
  if (options.db !== undefined) requireDatabase(workflow, { cwd: terminal.cwd, databasePath: options.db });
  const runId = options.runId === undefined ? {} : { runId: options.runId };
  return { workflow, run: { ...common, ...runId, input, workflowPath: path } };
}

/** `--resume flow.tsx`: the parser takes the file for the run. */
function targetOf({ args, options }: CommandCall<UpOptions>): {
  file: string | undefined;
  reference: string | undefined;
} {
  const file = args[0] as string | undefined;
  const reference = options.resume === true ? undefined : options.resume;
  if (file === undefined && reference !== undefined && /\.[cm]?[jt]sx?$/.test(reference)) {
    return { file: reference, reference: undefined };
  }
  return { file, reference };
}

async function prepareResume(
  { terminal, options }: CommandCall<UpOptions>,
  target: { file: string | undefined; reference: string | undefined },
): Promise<Prepared> {
  for (const flag of ["input", "set", "annotations"] as const) {
    if (options[flag] !== undefined)
      throw usage(`--${flag} belongs to a new run; a resumed run keeps its own.`);
  }
  const [{ openWorkspace }, { findResumable }, { loadRunWorkflow }, common] = await Promise.all([
    import("../runs/workspace.js"),
    import("../drive/resume-target.js"),
    import("../drive/load-run-workflow.js"),
    commonOptions(options, terminal),
  ]);
  const { store, path } = await openWorkspace(terminal, { ...options, readOnly: true });
  const row = await findResumable(store, target.reference ?? options.runId);
  await store.close();
  const place = { cwd: terminal.cwd, databasePath: path, file: target.file };
  const workflow = await loadRunWorkflow(row, place);
  const { force = false, acceptWorkflowChange = false } = options;
  return { workflow, run: { ...common, runId: row.runId, resume: true, force, acceptWorkflowChange } };
}

async function commonOptions(
  { maxConcurrency, root, allowNetwork, annotations }: UpOptions,
  terminal: Terminal,
): Promise<RunOptions> {
  const given =
    annotations === undefined
      ? undefined
      : await readJsonObject({ option: "--annotations", value: annotations }, terminal);
  const wrong = Object.entries(given ?? {}).find(
    ([, value]) => !["string", "number", "boolean"].includes(typeof value),
  );
  if (wrong !== undefined) throw usage(`--annotations: ${wrong[0]} is not a text, number or boolean.`);
  return {
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(root !== undefined && { rootDir: resolve(terminal.cwd, root) }),
    ...(allowNetwork !== undefined && { allowNetwork }),
    ...(given !== undefined && { annotations: given as NonNullable<RunOptions["annotations"]> }),
  };
}

async function readInput(options: UpOptions, terminal: Terminal): Promise<Record<string, unknown>> {
  const given =
    options.input === undefined
      ? {}
      : await readJsonObject({ option: "--input", value: options.input }, terminal);
  return applyAssignments(given, options.set ?? []);
}

function kebab(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function usage(summary: string): ServiceError {
  return new ServiceError("CLI_USAGE", summary);
}
