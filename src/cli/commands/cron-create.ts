import { defineCommand } from "../command.js";
import { addScheduleOptions, givenSchedule, type ScheduleArguments } from "../input/schedule-options.js";
import { scheduleReport } from "../output/schedule-report.js";
import { workflowKeyOf } from "../runs/workflow-name.js";
import { openPlace } from "../source/open-place.js";

interface CronCreateOptions extends ScheduleArguments {
  id?: string;
  disabled?: boolean;
  dryRun?: boolean;
}

export const cronCreate = defineCommand<CronCreateOptions>({
  examples: [
    {
      command: "treadle cron create report '30 9 * * 1-5' --time-zone Europe/Berlin",
      meaning: "on weekdays at half past nine in Berlin",
    },
    {
      command: `treadle cron create report '0 3 * * *' --id nightly --overlap queue --catch-up latest`,
      meaning: "every night, late rather than never",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<workflow>", "key that a gateway has the workflow under, or its file in .service/workflows")
      .argument("<pattern>", "cron expression: minute hour day month weekday, or with seconds first")
      .option("--id <id>", "id of the schedule (default: a random one)");
    addScheduleOptions(command, "create");
    command
      .option("--disabled", "switched off for now")
      .option("--dry-run", "only check it, and show when it would be due");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const [workflow, pattern] = args as [string, string];
    const { id, disabled, dryRun = false } = options;
    const settings = await givenSchedule(options, terminal);
    const source = await openPlace(call, { readOnly: dryRun });
    const schedule = await source.cronCreate({
      workflow: workflowKeyOf(workflow),
      pattern,
      dryRun,
      ...settings,
      ...(id !== undefined && { cronId: id }),
      ...(disabled === true && { enabled: false }),
    });
    return scheduleReport(schedule, { dryRun, terminal });
  },
});
