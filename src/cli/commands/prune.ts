import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { TerminalStatus } from "../../model/run.js";
import { type EachResult, openWorkspace, type RunView } from "../../operations/index.js";
import { actOnMany } from "../bulk/act-on-many.js";
import { defineCommand } from "../command.js";
import { duration, positiveInteger, terminalStatusList } from "../input/option-values.js";
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
  ],
  gateway: { cannot: "rows are deleted where the database is" },
  configure(command) {
    command
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
    const { terminal, options } = call;
    const { dryRun = false } = options;
    const { db, store } = await openWorkspace(terminal, { ...options, readOnly: dryRun });
    const [{ pruneRuns, THIRTY_DAYS_MS }, { listRuns, toRunView }, { requireRun }] = await Promise.all([
      import("../../operations/prune-runs.js"),
      import("../../operations/get-run.js"),
      import("../../operations/request/require-run.js"),
    ]);
    const { olderThan = THIRTY_DAYS_MS, status, workflow, limit } = options;
    const shownAtMs = store.clock.now();
    const workflowName = await workflowNameOf(call, workflow, (filter) => listRuns(db, filter));
    const request = {
      ...(status !== undefined && { statuses: status }),
      ...(workflowName !== undefined && { workflowName }),
      ...(limit !== undefined && { limit }),
    };
    const { runIds } = await pruneRuns(db, { ...request, olderThanMs: olderThan, dryRun: true });
    const runs: RunView[] = [];
    for (const runId of runIds)
      runs.push(await toRunView(store, await requireRun(store, runId), store.clock.now()));
    return actOnMany(call, {
      list: { runs },
      question: (count) => `Delete ${count === 1 ? "this run" : `these ${count} runs`} with all their rows?`,
      nothing: "Nothing was deleted.",
      done: "deleted",
      act: async (chosen, onResult) => {
        // A run that has become old enough while the question stood was not in it.
        const olderThanMs = olderThan + Math.max(0, store.clock.now() - shownAtMs);
        const deleted = new Set((await pruneRuns(db, { ...request, olderThanMs })).runIds);
        const results = [...new Set([...chosen, ...deleted])].map((runId) => resultOf(runId, deleted));
        for (const result of results) onResult(result);
        return results;
      },
      line: ({ runId }, colors) => `${colors.green("✓")} ${runId} deleted`,
    });
  },
});

function resultOf(runId: string, deleted: ReadonlySet<string>): EachResult<{ status: "deleted" }> {
  if (deleted.has(runId)) return { ok: true, runId, status: "deleted" };
  const error = new ServiceError("RUN_STILL_RUNNING", `Run ${runId} has gone on since and is kept.`);
  return { ok: false, runId, error: serializeError(error) };
}
