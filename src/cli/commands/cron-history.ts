import { defineCommand } from "../command.js";
import { positiveInteger } from "../input/option-values.js";
import { occurrenceTable } from "../output/schedule-text.js";
import { openPlace } from "../source/open-place.js";

interface CronHistoryOptions {
  limit: number;
}

export const cronHistory = defineCommand<CronHistoryOptions>({
  examples: [
    { command: "treadle cron history nightly", meaning: "why did it not run last night?" },
    { command: "treadle cron history nightly --limit 100 --json", meaning: "more of it, as data" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<id>", "id of the schedule")
      .option("-l, --limit <n>", "times shown at most", positiveInteger("--limit"), 20);
  },
  async run(call) {
    const cronId = call.args[0] as string;
    const source = await openPlace(call, { readOnly: true });
    const { schedules } = await source.cronList({ cronId, history: call.options.limit });
    const history = schedules[0]?.history ?? [];
    return {
      json: { cronId, history },
      text: (colors, width) =>
        history.length === 0 ? "It was not due yet." : occurrenceTable(history, colors, width),
    };
  },
});
