import { ServiceError } from "../../errors/service-error.js";
import type { RunOptions } from "../../model/run-options.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { RunRow } from "../../model/run.js";
import { refuseReservedRunId, resolveWorkflow, type Workspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { applyAssignments } from "../input/set-values.js";
import type { ServeFlags } from "./serve-flags.js";
import type { Terminal } from "../terminal.js";
import { chooseDatabase, databaseAt } from "../../store/index.js";
import { longLoadNotice } from "./long-load.js";
import { readAnnotations, readRunOptionFlags, type RunOptionFlags } from "./run-option-flags.js";
import { requireDatabase } from "./use-database.js";
import { workflowFileOf } from "./workflow-file.js";

/** Options of `treadle up`. */
export interface UpOptions extends RunOptionFlags, ServeFlags {
  input?: string;
  set?: string[];
  runId?: string;
  /** true = the newest resumable run. */
  resume?: string | true;
  annotations?: string;
  acceptWorkflowChange?: boolean;
  force?: boolean;
  /** Undefined: stay as long as the run moves by itself. */
  wait?: boolean;
  preflight: boolean;
  hot?: boolean;
  /** Only what would be started or continued. */
  dryRun?: boolean;
  /** In a process of its own, which outlives the terminal. */
  detach?: boolean;
  verbose?: boolean;
  quiet?: boolean;
}

/** Loaded while the workflow is compiled. */
export const loadDriver = () =>
  Promise.all([import("./drive-in-terminal.js"), import("./report-run.js"), import("./preflight.js")]);

export interface PreparedRun {
  workflow: ServiceWorkflow;
  run: RunOptions;
}

/**
 * Everything between the arguments of `treadle up` and a workflow that can be
 * driven: input, options, the loaded file, the run to continue.
 * @throws CLI_USAGE, INVALID_INPUT, AGENT_PREFLIGHT_FAILED, RUN_NOT_FOUND; as loadWorkflow
 */
export async function prepareRun(call: CommandCall<UpOptions>): Promise<PreparedRun> {
  const { options } = call;
  const { file, reference } = targetOf(call);
  refuseMisplaced(options, reference);
  if (options.resume !== undefined) return prepareResume(call, { file, reference });
  if (file === undefined) throw usage("Name a workflow, or a run with --resume.");
  const { terminal } = call;
  const [{ loadWorkflow }, input, common, about] = await Promise.all([
    import("../../loader/load-workflow.js"),
    readInput(options, terminal),
    readRunOptionFlags(options, terminal),
    readAnnotations(options.annotations, terminal),
  ]);
  const { cwd } = terminal;
  const { db } = options;
  chooseDatabase(db === undefined ? undefined : databaseAt(cwd, db));
  const { workflow, path } = await loadWorkflow(file, {
    cwd,
    longLoad: longLoadNotice(terminal),
    meanwhile: loadDriver,
  });
  if (db !== undefined) requireDatabase(workflow, { cwd, databasePath: db });
  const { err } = terminal;
  const { inputNotice } = await import("./input-notice.js");
  const notice = inputNotice(workflow);
  if (notice !== undefined) err.line(`${err.colors.yellow("!")} ${notice}`);
  if (options.preflight) {
    const { preflightAgents } = await import("./preflight.js");
    await preflightAgents(workflow, {
      input,
      rootDir: common.rootDir ?? cwd,
      onWarning: (text) => err.line(`${err.colors.yellow("!")} ${text}`),
    });
  }
  refuseReservedRunId(options.runId);
  const runId = options.runId === undefined ? {} : { runId: options.runId };
  // Kept with the run: continued from another folder, it works in the same one.
  const rootDir = common.rootDir ?? cwd;
  return { workflow, run: { ...common, ...about, ...runId, rootDir, input, workflowPath: path } };
}

/**
 * Options for a new run say nothing about one that is continued, and the other way round.
 * @param reference the run that `--resume` names
 * @throws CLI_USAGE
 */
export function refuseMisplaced(options: UpOptions, reference: string | undefined): void {
  if (options.resume === undefined) {
    for (const flag of ["acceptWorkflowChange", "force"] as const) {
      if (options[flag] === true) throw usage(`--${kebab(flag)} needs --resume.`);
    }
    return;
  }
  for (const flag of ["input", "set", "annotations"] as const) {
    if (options[flag] !== undefined)
      throw usage(`--${flag} belongs to a new run; a resumed run keeps its own.`);
  }
  if (reference !== undefined && options.runId !== undefined)
    throw usage("--run-id and --resume <run> both name a run: leave one of them out.");
}

interface Target {
  file: string | undefined;
  /** Of the run that `--resume` names. */
  reference: string | undefined;
}

/** `--resume flow.tsx`: the parser takes the file for the run. */
function targetOf({ terminal, args, options }: CommandCall<UpOptions>): Target {
  const named = args[0] as string | undefined;
  const file = named === undefined ? undefined : resolveWorkflow(named, terminal.cwd);
  const reference = options.resume === true ? undefined : options.resume;
  if (file === undefined && reference !== undefined && /\.[cm]?[jt]sx?$/.test(reference)) {
    return { file: reference, reference: undefined };
  }
  return { file, reference };
}

async function prepareResume(
  { terminal, options }: CommandCall<UpOptions>,
  target: Target,
): Promise<PreparedRun> {
  const [{ workspace, row }, { loadToContinue }, common] = await Promise.all([
    openResumed({ terminal, options }, target),
    import("./load-run-workflow.js"),
    readRunOptionFlags(options, terminal),
  ]);
  const { force = false, acceptWorkflowChange = false } = options;
  const workflow = await loadToContinue(row, {
    terminal,
    workspace,
    acceptWorkflowChange,
    file: target.file,
    longLoad: longLoadNotice(terminal),
    meanwhile: loadDriver,
  });
  return { workflow, run: { ...common, runId: row.runId, resume: true, force, acceptWorkflowChange } };
}

/**
 * The run that `--resume` continues with the file that it names itself, which is not loaded; undefined where the call
 * names a file, or begins a new run.
 * @throws CLI_USAGE, RUN_NOT_FOUND
 */
export async function previewResume(call: CommandCall<UpOptions>): Promise<RunRow | undefined> {
  const { options, terminal } = call;
  const target = targetOf(call);
  if (options.resume === undefined || target.file !== undefined) return undefined;
  refuseMisplaced(options, target.reference);
  await readRunOptionFlags(options, terminal);
  const { workspace, row } = await openResumed(call, target);
  await workspace.store.close();
  workflowFileOf(row);
  return row;
}

async function openResumed(
  { terminal, options }: Pick<CommandCall<UpOptions>, "terminal" | "options">,
  { file, reference }: Target,
): Promise<{ workspace: Workspace; row: RunRow }> {
  const [{ openWorkspace }, { findResumable }] = await Promise.all([
    import("../../operations/workspace/open-workspace.js"),
    import("../../operations/read/find-resumable.js"),
  ]);
  const workspace = await openWorkspace(terminal, { ...options, readOnly: true });
  const row = await findResumable(workspace.db, {
    reference: reference ?? options.runId,
    hasFile: file !== undefined,
  });
  return { workspace, row };
}

/** The input of a new run, with what `--set` makes of it. @throws CLI_USAGE */
export async function readInput(options: UpOptions, terminal: Terminal): Promise<Record<string, unknown>> {
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
