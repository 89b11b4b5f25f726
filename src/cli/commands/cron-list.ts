import { openWorkspace } from "../../operations/workspace/open-workspace.js";
import { defineCommand } from "../command.js";
import { scheduleListText } from "../output/schedule-text.js";

interface CronListOptions {
  workflow?: string;
}

export const cronList = defineCommand<CronListOptions>({
  examples: [
    { command: "treadle cron list", meaning: "the schedules of this workspace and when they are due next" },
    { command: "treadle cron list --workflow report --json", meaning: "those of one workflow, as data" },
  ],
  configure(command) {
    command.option("--workflow <key>", "only those of the workflow that gateways have under this key");
  },
  async run({ terminal, options }) {
    const { workflow } = options;
    const { db } = await openWorkspace(terminal, { ...options, readOnly: true });
    const { listSchedules } = await import("../../operations/schedules/list-schedules.js");
    const filter = workflow === undefined ? {} : { workflowKey: workflow };
    const list = await listSchedules(db, filter, Date.now());
    return { json: list, text: (colors) => scheduleListText(list, colors) };
  },
});
