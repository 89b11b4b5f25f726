import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { openSchedules } from "../source/open-schedules.js";

interface CronDeleteOptions {
  yes?: boolean;
}

export const cronDelete = defineCommand<CronDeleteOptions>({
  examples: [
    { command: "treadle cron delete nightly", meaning: "after a question; its runs stay" },
    { command: "treadle cron delete nightly --yes", meaning: "without one" },
  ],
  gateway: "asked",
  configure(command) {
    command.argument("<id>", "id of the schedule").option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const cronId = args[0] as string;
    const { yes = false } = options;
    const source = await openSchedules(call, { readOnly: false });
    if (!(await confirm(`Delete schedule ${cronId} with its history?`, { terminal, yes }))) {
      return {
        json: { cronId, removed: false },
        text: () => "Nothing was deleted.",
        exitCode: EXIT.cancelled,
      };
    }
    await source.remove(cronId);
    return { json: { cronId, removed: true }, text: () => `Schedule ${cronId} was deleted.` };
  },
});
