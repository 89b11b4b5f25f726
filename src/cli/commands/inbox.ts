import type { Blocker } from "../../operations/explain/blocker.js";
import { ServiceError } from "../../errors/service-error.js";
import { damagedRun } from "../../operations/read/readable-rows.js";
import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { damageLines } from "../output/damage-text.js";
import { withFix } from "../output/remedy-text.js";
import { refusedLines } from "../output/refused-text.js";
import { OPEN_STATES } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { formatTable, oneLine } from "../output/table.js";
import { agoText, deadlineText } from "../output/times.js";
import { createCommandText } from "../runs/command-text.js";
import { openWorkspace } from "../../operations/workspace/open-workspace.js";

interface InboxOptions {
  workflow?: string;
  limit: number;
}

interface InboxItem extends Blocker {
  fix?: string;
  runId: string;
  workflowName: string;
}

/** What people decide or send; everything else ends by itself. */
const FOR_PEOPLE: readonly Blocker["kind"][] = ["approval", "event", "paused", "hijack"];

export const inbox = defineCommand<InboxOptions>({
  examples: [
    { command: "treadle inbox", meaning: "what waits for a person, oldest first" },
    { command: "treadle inbox --workflow deploy --json", meaning: "for scripts" },
  ],
  configure(command) {
    command
      .option("--workflow <name>", "only runs of this workflow")
      .option("-l, --limit <n>", "requests shown at most", positiveInteger("--limit"), 50);
  },
  async run({ terminal, options }) {
    const { db } = await openWorkspace(terminal, { ...options, readOnly: true });
    const [{ selectRuns }, { explainRun }] = await Promise.all([
      import("../runs/select-runs.js"),
      import("../../operations/explain-run.js"),
    ]);
    const { workflow, limit } = options;
    const commandText = createCommandText(options);
    const { runs, damaged = [] } = await selectRuns(db, { states: OPEN_STATES, workflow });
    const items: InboxItem[] = [];
    for (const { runId, workflowName } of runs) {
      const blockers = await explainRun(db, runId).then(
        (explained) => explained.blockers,
        (error: unknown) => {
          if (!ServiceError.is(error, "STORAGE_ERROR")) throw error;
          damaged.push(damagedRun(runId, error));
          return [];
        },
      );
      for (const blocker of blockers) {
        // What keeps its child runs from going on stands beside them.
        const isOwn = blocker.runId === undefined;
        if (!isOwn || !FOR_PEOPLE.includes(blocker.kind)) continue;
        items.push({ ...withFix(blocker, commandText), runId, workflowName });
      }
    }
    items.sort((a, b) => (a.sinceMs ?? 0) - (b.sinceMs ?? 0));
    const shown = items.slice(0, limit);
    return {
      json: { items: shown, total: items.length, ...(damaged.length > 0 && { damaged }) },
      text: (colors) =>
        [inboxText(shown, { colors, total: items.length }), ...damageLines(damaged, colors)].join("\n"),
    };
  },
});

function inboxText(
  items: readonly InboxItem[],
  { colors, total }: { colors: Colors; total: number },
): string {
  if (items.length === 0) return "Nothing waits for you.";
  const now = Date.now();
  const rows = items.map((item) => [
    agoText(item.sinceMs, now),
    item.workflowName,
    item.runId,
    `${oneLine(item.summary, 100)}${item.untilMs === undefined ? "" : ` (ends by itself ${deadlineText(item.untilMs, now)})`}`,
  ]);
  const table = formatTable(["SINCE", "WORKFLOW", "RUN", "WHAT"].map(colors.dim), rows);
  const commands = items.flatMap((item) => [
    ...refusedLines(item, now).map((line) => `  ${colors.yellow(line)}`),
    ...(item.fix === undefined ? [] : [`  ${colors.cyan(item.fix)}`]),
  ]);
  const more = total > items.length ? [colors.dim(`… and ${total - items.length} more (--limit)`)] : [];
  return [table, ...more, "", ...commands].join("\n");
}
