import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { TerminalStatus } from "../../model/run.js";
import type { EachResult, PruneRequest, RunView } from "../../operations/index.js";
import { actOnMany } from "../bulk/act-on-many.js";
import { type CommandCall, defineCommand } from "../command.js";
import { duration, positiveInteger, terminalStatusList } from "../input/option-values.js";
import { openPlace } from "../source/open-place.js";
import type { Place } from "../source/place.js";
import { workflowNameOf } from "../runs/workflow-name.js";

interface PruneOptions {
  olderThan?: number;
  status?: TerminalStatus[];
  workflow?: string;
  limit?: number;
  dryRun?: boolean;
  yes?: boolean;
}

export const prune = defineCommand<PruneOptions>({
  examples: [
    { command: "treadle prune --dry-run", meaning: "which runs ended more than 30 days ago" },
    {
      command: "treadle prune --older-than 7d --status finished --yes",
      meaning: "delete the good ones after a week",
    },
    { command: "treadle prune k3j2 m8w1", meaning: "delete these two, whenever they ended" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument(
        "[runs...]",
        "ids of runs, or their unique starts; the options that choose runs do not go with them",
      )
      .option(
        "--older-than <duration>",
        "runs that ended at least this long ago (default: 30d)",
        duration("--older-than"),
      )
      .option(
        "-s, --status <list>",
        "only these (default: finished,continued,failed,cancelled)",
        terminalStatusList("--status"),
      )
      .option("--workflow <name>", "only runs of this workflow: its name, or its file")
      .option("-l, --limit <n>", "runs deleted at most", positiveInteger("--limit"))
      .option("--dry-run", "only show which runs would be deleted")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { options } = call;
    const { dryRun = false } = options;
    const place = await openPlace(call, { readOnly: dryRun });
    const shownAtMs = Date.now();
    const choice = await choiceOf(call, place);
    const { runIds, kept = [] } = await place.pruneRuns({ ...choice, dryRun: true });
    const [first] = kept;
    if (first !== undefined) throw new ServiceError(first.code, first.message, { details: { kept } });
    const runs: RunView[] = [];
    for (const run of runIds) runs.push(await place.findRun({ run }));
    return actOnMany(call, {
      list: { runs },
      question: (count) => `Delete ${count === 1 ? "this run" : `these ${count} runs`} with all their rows?`,
      nothing: "Nothing was deleted.",
      done: "deleted",
      act: async (chosen, onResult) => {
        const { olderThanMs } = choice;
        const deleted = new Set(
          (
            await place.pruneRuns({
              ...choice,
              // A run that has become old enough while the question stood was not in it.
              ...(olderThanMs !== undefined && {
                olderThanMs: olderThanMs + Math.max(0, Date.now() - shownAtMs),
              }),
            })
          ).runIds,
        );
        const results = [...new Set([...chosen, ...deleted])].map((runId) => resultOf(runId, deleted));
        for (const result of results) onResult(result);
        return results;
      },
      line: ({ runId }, colors) => `${colors.green("✓")} ${runId} deleted`,
    });
  },
});

/** The runs that are named, or what the options choose. @throws CLI_USAGE for both */
async function choiceOf(call: CommandCall<PruneOptions>, place: Place): Promise<PruneRequest> {
  const { olderThan, status, workflow, limit } = call.options;
  const named = call.args[0] as readonly string[];
  if (named.length > 0) {
    const given = Object.entries({ "older-than": olderThan, status, workflow, limit });
    const other = given.find(([, value]) => value !== undefined);
    if (other !== undefined) {
      throw new ServiceError(
        "CLI_USAGE",
        `--${other[0]} chooses runs; it does not go with runs that are named.`,
      );
    }
    const runIds: string[] = [];
    for (const reference of named) runIds.push((await place.find(reference)).runId);
    return { runIds };
  }
  const { THIRTY_DAYS_MS } = await import("../../operations/prune-runs.js");
  const workflowName = await workflowNameOf(call, workflow, (filter) => place.listRuns(filter));
  return {
    olderThanMs: olderThan ?? THIRTY_DAYS_MS,
    ...(status !== undefined && { statuses: status }),
    ...(workflowName !== undefined && { workflowName }),
    ...(limit !== undefined && { limit }),
  };
}

function resultOf(runId: string, deleted: ReadonlySet<string>): EachResult<{ status: "deleted" }> {
  if (deleted.has(runId)) return { ok: true, runId, status: "deleted" };
  const error = new ServiceError("RUN_STILL_RUNNING", `Run ${runId} has gone on since and is kept.`);
  return { ok: false, runId, error: serializeError(error) };
}
