import { defineCommand } from "../command.js";
import { addScheduleOptions, givenSchedule, type ScheduleArguments } from "../input/schedule-options.js";
import { scheduleTable } from "../output/schedule-text.js";
import { openSchedules } from "../source/open-schedules.js";

interface CronCreateOptions extends ScheduleArguments {
  id?: string;
  disabled?: boolean;
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
      .argument("<workflow>", "key that a gateway has the workflow under")
      .argument("<pattern>", "cron expression: minute hour day month weekday, or with seconds first")
      .option("--id <id>", "id of the schedule (default: a random one)");
    addScheduleOptions(command);
    command.option("--disabled", "switched off for now");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const [workflow, pattern] = args as [string, string];
    const { id, disabled } = options;
    const settings = await givenSchedule(options, terminal);
    const source = await openSchedules(call, { readOnly: false });
    const schedule = await source.create({
      workflow,
      pattern,
      ...settings,
      ...(id !== undefined && { cronId: id }),
      ...(disabled === true && { enabled: false }),
    });
    return { json: schedule, text: (colors) => scheduleTable([schedule], colors) };
  },
});
