import type { TerminalStatus } from "../../model/run.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { duration, positiveInteger, terminalStatusList } from "../input/option-values.js";
import { openWorkspace } from "../../operations/workspace/open-workspace.js";

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
      .option("--workflow <name>", "only runs of this workflow")
      .option("-l, --limit <n>", "runs deleted at most", positiveInteger("--limit"))
      .option("--dry-run", "only show which runs would be deleted")
      .option("-y, --yes", "do not ask");
  },
  async run({ terminal, options }) {
    const { dryRun = false, yes = false } = options;
    const { db } = await openWorkspace(terminal, { ...options, readOnly: dryRun });
    const { pruneRuns } = await import("../../operations/prune-runs.js");
    const { olderThan, status, workflow, limit } = options;
    const request = {
      ...(olderThan !== undefined && { olderThanMs: olderThan }),
      ...(status !== undefined && { statuses: status }),
      ...(workflow !== undefined && { workflowName: workflow }),
      ...(limit !== undefined && { limit }),
    };
    const preview = await pruneRuns(db, { ...request, dryRun: true });
    if (dryRun || preview.runIds.length === 0) {
      return { json: { ...preview, dryRun }, text: () => listText(preview.runIds, "would be deleted") };
    }
    if (!yes) terminal.err.line(listText(preview.runIds, "would be deleted"));
    if (!(await confirm(`Delete ${preview.runIds.length} runs with all their rows?`, { terminal, yes }))) {
      return { json: { runIds: [], dryRun }, text: () => "Nothing was deleted.", exitCode: EXIT.cancelled };
    }
    const result = await pruneRuns(db, request);
    return { json: result, text: () => listText(result.runIds, "deleted") };
  },
});

function listText(runIds: readonly string[], what: string): string {
  if (runIds.length === 0) return "No run is old enough.";
  return [...runIds, `${runIds.length} ${runIds.length === 1 ? "run" : "runs"} ${what}`].join("\n");
}
