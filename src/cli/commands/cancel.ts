import { type CancelResult, forEachRun, OPEN_STATES, shownState } from "../../operations/index.js";
import { actOnMany } from "../bulk/act-on-many.js";
import { addSelectionOptions, refuseFilters, type SelectionOptions, selected } from "../bulk/selection.js";
import { type CommandCall, defineCommand } from "../command.js";
import { userName } from "../input/option-values.js";
import type { Colors } from "../output/styles.js";
import type { Report } from "../report.js";
import { openPlace } from "../source/open-place.js";
import type { Place } from "../source/place.js";

interface CancelOptions extends SelectionOptions {
  reason?: string;
  by?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export const cancel = defineCommand<CancelOptions>({
  examples: [
    {
      command: "treadle cancel latest --reason 'wrong input'",
      meaning: "cancel one run; only up --resume with its id continues it",
    },
    {
      command: "treadle cancel --status waiting-approval --older-than 7d --dry-run",
      meaning: "which runs would be cancelled",
    },
    { command: "treadle cancel --workflow deploy --yes", meaning: "every run of deploy that has not ended" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("[run]", "id of a run, the unique start of one, or latest (also -)")
      .option("--reason <text>", "why; kept with the run")
      .option("--by <user>", "name of the requester (default: the user of this machine)", userName("--by"));
    addSelectionOptions(command, "all that have not ended")
      .option("--dry-run", "only show which runs would be cancelled")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { options, args } = call;
    if (args[0] !== undefined) refuseFilters(options);
    const place = await openPlace(call, { readOnly: options.dryRun === true });
    if (args[0] !== undefined) return cancelOne(call, place);
    return actOnMany(call, {
      list: await selected(call, { list: place.listRuns, states: OPEN_STATES }),
      question: (count) => `Cancel these ${count} runs?`,
      nothing: "Nothing was cancelled.",
      done: "cancelled",
      act: (runIds, onResult) =>
        forEachRun(runIds, {
          act: (runId) => place.cancelRun({ runId, ...requestOf(options) }),
          onResult,
        }),
      line: resultLine,
    });
  },
});

async function cancelOne({ args, options }: CommandCall<CancelOptions>, place: Place): Promise<Report> {
  const run = await place.find(args[0] as string);
  if (options.dryRun === true) {
    const { runId, workflowName, status, runState } = run;
    const json = { dryRun: true, runs: [{ runId, workflowName, status, runState }] };
    const which =
      status === "continued" ? `the run that continues ${runId}` : `run ${runId} (${shownState(run)})`;
    return { json, text: () => `Would cancel ${which}.` };
  }
  const result = await place.cancelRun({ runId: run.runId, ...requestOf(options) });
  return { json: result, text: (colors) => resultLine(result, colors) };
}

function requestOf({ reason, by }: CancelOptions): { reason?: string; requestedBy?: string } {
  return { ...(reason !== undefined && { reason }), ...(by !== undefined && { requestedBy: by }) };
}

function resultLine({ runId, status }: CancelResult, colors: Colors): string {
  if (status === "cancelled") return `${colors.green("✓")} ${runId} cancelled`;
  return `${colors.yellow("…")} ${runId} is being cancelled by the process that drives it`;
}
