import { openWorkspace } from "../../operations/workspace/open-workspace.js";
import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { occurrenceTable } from "../output/schedule-text.js";

interface CronHistoryOptions {
  limit: number;
}

export const cronHistory = defineCommand<CronHistoryOptions>({
  examples: [
    { command: "treadle cron history nightly", meaning: "why did it not run last night?" },
    { command: "treadle cron history nightly --limit 100 --json", meaning: "more of it, as data" },
  ],
  configure(command) {
    command
      .argument("<id>", "id of the schedule")
      .option("-l, --limit <n>", "times shown at most", positiveInteger("--limit"), 20);
  },
  async run({ terminal, args, options }) {
    const cronId = args[0] as string;
    const { db } = await openWorkspace(terminal, { ...options, readOnly: true });
    const { listSchedules } = await import("../../operations/schedules/list-schedules.js");
    const { schedules } = await listSchedules(db, { cronId, history: options.limit }, Date.now());
    const history = schedules[0]?.history ?? [];
    return {
      json: { cronId, history },
      text: (colors) => (history.length === 0 ? "It was not due yet." : occurrenceTable(history, colors)),
    };
  },
});
