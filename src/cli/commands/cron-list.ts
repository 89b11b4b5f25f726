import { defineCommand } from "../command.js";
import { scheduleListText } from "../output/schedule-text.js";
import { workflowKeyOf } from "../runs/workflow-name.js";
import { openPlace } from "../source/open-place.js";

interface CronListOptions {
  workflow?: string;
}

export const cronList = defineCommand<CronListOptions>({
  examples: [
    { command: "treadle cron list", meaning: "the schedules of this workspace and when they are due next" },
    { command: "treadle cron list --workflow report --json", meaning: "those of one workflow, as data" },
  ],
  gateway: "asked",
  configure(command) {
    command.option(
      "--workflow <name>",
      "only those of the workflow that gateways have under this key, or of this file",
    );
  },
  async run(call) {
    const { workflow } = call.options;
    const source = await openPlace(call, { readOnly: true });
    const list = await source.cronList(workflow === undefined ? {} : { workflow: workflowKeyOf(workflow) });
    return { json: list, text: (colors, width) => scheduleListText(list, colors, width) };
  },
});
