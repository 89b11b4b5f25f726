import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { defineCommand, type CommandCall } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { duration, positiveInteger, stateList } from "../input/option-values.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import { OPEN_STATES, type ShownState } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import type { Report } from "../report.js";
import { findRun } from "../../operations/read/find-run.js";
import { userName } from "../runs/user-name.js";
import { openWorkspace, type Workspace } from "../../operations/workspace/open-workspace.js";
import { runTable } from "./ps.js";

interface CancelOptions {
  reason?: string;
  by?: string;
  status?: ShownState[];
  workflow?: string;
  olderThan?: number;
  limit?: number;
  dryRun?: boolean;
  yes?: boolean;
}

export const cancel = defineCommand<CancelOptions>({
  examples: [
    { command: "treadle cancel latest --reason 'wrong input'", meaning: "end one run for good" },
    {
      command: "treadle cancel --status waiting-approval --older-than 7d --dry-run",
      meaning: "what would be ended",
    },
    { command: "treadle cancel --workflow deploy --yes", meaning: "every run of deploy that has not ended" },
  ],
  configure(command) {
    command
      .argument("[run]", "id of a run, the unique start of one, or latest (also -)")
      .option("--reason <text>", "why; kept with the run")
      .option("--by <user>", "who asks for it (default: the user of this machine)")
      .optionsGroup("Many at once:")
      .option(
        "-s, --status <list>",
        "runs of these states, comma-separated, as ps shows them",
        stateList("--status"),
      )
      .option("--workflow <name>", "runs of this workflow")
      .option(
        "--older-than <duration>",
        "runs created at least this long ago, e.g. 12h",
        duration("--older-than"),
      )
      .option("-l, --limit <n>", "runs at most", positiveInteger("--limit"))
      .option("--dry-run", "only show which runs would be cancelled")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { terminal, options, args } = call;
    if (args[0] !== undefined) refuseFilters(options);
    const workspace = await openWorkspace(terminal, { ...options, readOnly: options.dryRun === true });
    return args[0] === undefined ? cancelMany(call, workspace) : cancelOne(call, workspace);
  },
});

/** One run is named, or several are chosen: a filter that is not looked at would be a surprise. */
function refuseFilters({ status, workflow, olderThan, limit }: CancelOptions): void {
  const given = { "--status": status, "--workflow": workflow, "--older-than": olderThan, "--limit": limit };
  const flag = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new ServiceError("CLI_USAGE", `${flag} chooses among many runs; leave it out, or name no run.`, {
    details: { option: flag },
  });
}

async function cancelOne(
  { args, options }: CommandCall<CancelOptions>,
  { db, store }: Workspace,
): Promise<Report> {
  const run = await findRun(store, args[0] as string);
  if (options.dryRun === true) {
    const json = { dryRun: true, runs: [{ runId: run.runId, status: run.status }] };
    return { json, text: () => `Would cancel run ${run.runId} (${run.status}).` };
  }
  const { cancelRun } = await import("../../operations/cancel-run.js");
  const result = await cancelRun(db, { runId: run.runId, ...requestOf(options) });
  return { json: result, text: (colors) => resultLine(result, colors) };
}

async function cancelMany(
  { options, terminal }: CommandCall<CancelOptions>,
  { db }: Workspace,
): Promise<Report> {
  const { status, workflow, olderThan, limit, dryRun = false, yes = false } = options;
  const { requireFilter, selectRuns } = await import("../runs/select-runs.js");
  requireFilter({ "--status": status, "--workflow": workflow, "--older-than": olderThan });
  const { runs } = await selectRuns(db, {
    states: status ?? OPEN_STATES,
    workflow,
    olderThanMs: olderThan,
    limit,
  });
  const preview = (colors: Colors) => runTable(runs, { colors, now: Date.now() });
  if (dryRun || runs.length === 0) {
    const json = { dryRun, runs: runs.map(({ runId, status }) => ({ runId, status })) };
    return { json, text: preview };
  }
  if (!yes) terminal.err.line(preview(terminal.err.colors));
  if (!(await confirm(`Cancel these ${runs.length} runs?`, { terminal, yes }))) {
    return {
      json: { dryRun: false, runs: [] },
      text: () => "Nothing was cancelled.",
      exitCode: EXIT.cancelled,
    };
  }
  const { cancelRun } = await import("../../operations/cancel-run.js");
  const results: ManyResult[] = [];
  for (const { runId } of runs) {
    try {
      results.push({ ok: true, ...(await cancelRun(db, { runId, ...requestOf(options) })) });
    } catch (error) {
      results.push({ ok: false, runId, error: serializeError(error) });
    }
  }
  return {
    json: { dryRun: false, runs: results },
    text: (colors) => results.map((result) => resultLine(result, colors)).join("\n"),
    exitCode: results.every(({ ok }) => ok) ? EXIT.ok : EXIT.runFailed,
  };
}

interface ManyResult {
  ok: boolean;
  runId: string;
  status?: "cancelled" | "cancelling";
  error?: ReturnType<typeof serializeError>;
}

function requestOf({ reason, by }: CancelOptions): { reason?: string; requestedBy: string } {
  return { ...(reason !== undefined && { reason }), requestedBy: by ?? userName(process.env) };
}

function resultLine({ runId, status, error }: Omit<ManyResult, "ok">, colors: Colors): string {
  if (error !== undefined) return `${colors.red("✗")} ${runId} ${serializedErrorLine(error)}`;
  if (status === "cancelled") return `${colors.green("✓")} ${runId} cancelled`;
  return `${colors.yellow("…")} ${runId} is being cancelled by the process that drives it`;
}
