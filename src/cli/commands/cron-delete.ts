import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { openPlace } from "../source/open-place.js";

interface CronDeleteOptions {
  dryRun?: boolean;
  yes?: boolean;
}

export const cronDelete = defineCommand<CronDeleteOptions>({
  examples: [
    { command: "treadle cron delete nightly", meaning: "after a question; its runs stay" },
    { command: "treadle cron delete nightly --yes", meaning: "without one" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<id>", "id of the schedule")
      .option("--dry-run", "only check whether it could be deleted")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const cronId = args[0] as string;
    const { yes = false, dryRun = false } = options;
    const source = await openPlace(call, { readOnly: dryRun });
    await source.cronDelete({ cronId, dryRun: true });
    if (dryRun) {
      return {
        json: { dryRun, cronId, removed: false },
        text: () => `Would delete schedule ${cronId} with its history.`,
      };
    }
    if (!(await confirm(`Delete schedule ${cronId} with its history?`, { terminal, yes }))) {
      return {
        json: { cronId, removed: false },
        text: () => "Nothing was deleted.",
        exitCode: EXIT.cancelled,
      };
    }
    await source.cronDelete({ cronId });
    return { json: { cronId, removed: true }, text: () => `Schedule ${cronId} was deleted.` };
  },
});
