import { openWorkspace } from "../../operations/workspace/open-workspace.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";

interface CronDeleteOptions {
  yes?: boolean;
}

export const cronDelete = defineCommand<CronDeleteOptions>({
  examples: [
    { command: "treadle cron delete nightly", meaning: "after a question; its runs stay" },
    { command: "treadle cron delete nightly --yes", meaning: "without one" },
  ],
  configure(command) {
    command.argument("<id>", "id of the schedule").option("-y, --yes", "do not ask");
  },
  async run({ terminal, args, options }) {
    const cronId = args[0] as string;
    const { yes = false } = options;
    const { db } = await openWorkspace(terminal, { ...options, readOnly: false });
    if (!(await confirm(`Delete schedule ${cronId} with its history?`, { terminal, yes }))) {
      return {
        json: { cronId, removed: false },
        text: () => "Nothing was deleted.",
        exitCode: EXIT.cancelled,
      };
    }
    const { deleteSchedule } = await import("../../operations/schedules/change-schedules.js");
    await deleteSchedule(db, cronId);
    return { json: { cronId, removed: true }, text: () => `Schedule ${cronId} was deleted.` };
  },
});
