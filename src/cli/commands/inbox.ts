import type { InboxItem } from "../../operations/index.js";
import { type CommandCall, defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { damageLines } from "../output/damage-text.js";
import { withFix } from "../output/remedy-text.js";
import { refusedLines } from "../output/refused-text.js";
import type { Colors } from "../output/styles.js";
import { formatTable, oneLine } from "../output/table.js";
import { agoText, deadlineText } from "../output/times.js";
import { createCommandText } from "../runs/command-text.js";
import type { Report } from "../report.js";
import { workflowNameOf } from "../runs/workflow-name.js";
import { withPlace } from "../source/open-place.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";

interface InboxOptions extends WatchFlags {
  workflow?: string;
  limit: number;
}

type ShownItem = InboxItem & { fix?: string };

export const inbox = defineCommand<InboxOptions>({
  examples: [
    { command: "treadle inbox", meaning: "what waits for a person, oldest first" },
    { command: "treadle inbox --workflow deploy --json", meaning: "for scripts" },
  ],
  gateway: "asked",
  configure(command) {
    addWatchFlags(command)
      .option("--workflow <name>", "only runs of this workflow: its name, or its file")
      .option("-l, --limit <n>", "requests shown at most", positiveInteger("--limit"), 50);
  },
  run: (call) => watched(call, () => lookAt(call)),
});

async function lookAt(call: CommandCall<InboxOptions>): Promise<Report> {
  const { options } = call;
  const { workflow, limit } = options;
  const { items, total, damaged } = await withPlace(call, async (place) =>
    place.listInbox({ workflowName: await workflowNameOf(call, workflow, place.listRuns), limit }),
  );
  const commandText = createCommandText(call);
  const shown: ShownItem[] = items.map((item) => withFix(item, commandText));
  return {
    json: { items: shown, total, ...(damaged !== undefined && { damaged }) },
    text: (colors, width) =>
      [inboxText(shown, { colors, width, total }), ...damageLines(damaged, colors)].join("\n"),
  };
}

function inboxText(
  items: readonly ShownItem[],
  { colors, width, total }: { colors: Colors; width: number; total: number },
): string {
  if (items.length === 0) return "Nothing waits for you.";
  const now = Date.now();
  const rows = items.map((item) => [
    agoText(item.sinceMs, now),
    item.workflowName,
    item.runId,
    `${oneLine(item.summary, 100)}${item.untilMs === undefined ? "" : ` (until ${deadlineText(item.untilMs, now)})`}`,
  ]);
  const table = formatTable(["SINCE", "WORKFLOW", "RUN", "WHAT"].map(colors.dim), rows, {
    width,
    names: ["RUN"],
  });
  const commands = items.flatMap((item) => [
    ...refusedLines(item, now).map((line) => `  ${colors.yellow(line)}`),
    ...(item.fix === undefined ? [] : [`  ${colors.cyan(item.fix)}`]),
  ]);
  const more = total > items.length ? [colors.dim(`… and ${total - items.length} more (--limit)`)] : [];
  return [table, ...more, "", ...commands].join("\n");
}
