import { ServiceError } from "../../errors/service-error.js";
import { defineCommand } from "../command.js";
import { addScheduleOptions, givenSchedule, type ScheduleArguments } from "../input/schedule-options.js";
import { scheduleReport } from "../output/schedule-report.js";
import { openPlace } from "../source/open-place.js";

interface CronUpdateOptions extends ScheduleArguments {
  pattern?: string;
  enable?: boolean;
  disable?: boolean;
  dryRun?: boolean;
}

export const cronUpdate = defineCommand<CronUpdateOptions>({
  examples: [
    {
      command: "treadle cron update nightly --disable",
      meaning: "switch it off; --enable switches it on again",
    },
    { command: "treadle cron update nightly --pattern '0 4 * * *'", meaning: "an hour later from now on" },
    {
      command: "treadle cron update gateway:report --time-zone Asia/Tokyo",
      meaning: "the zone of a schedule whose pattern is in the code of a gateway",
    },
  ],
  gateway: "asked",
  configure(command) {
    command.argument("<id>", "id of the schedule").option("--pattern <pattern>", "another cron expression");
    addScheduleOptions(command, "update");
    command
      .option("--enable", "switch it on; missed times are not made up for")
      .option("--disable", "switch it off")
      .option("--dry-run", "only check it, and show what it would be");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const cronId = args[0] as string;
    const { pattern, enable, disable, dryRun = false } = options;
    if (enable === true && disable === true) {
      throw new ServiceError("CLI_USAGE", "--enable and --disable exclude each other.");
    }
    const settings = await givenSchedule(options, terminal);
    const source = await openPlace(call, { readOnly: dryRun });
    const schedule = await source.cronUpdate({
      cronId,
      dryRun,
      ...settings,
      ...(pattern !== undefined && { pattern }),
      ...((enable ?? disable) !== undefined && { enabled: enable === true }),
    });
    return scheduleReport(schedule, { dryRun, terminal });
  },
});
