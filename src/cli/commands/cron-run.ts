import { defineCommand } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { openSchedules } from "../source/open-schedules.js";

interface CronRunOptions {
  input?: string;
}

export const cronRun = defineCommand<CronRunOptions>({
  examples: [
    { command: "treadle cron run nightly", meaning: "a gateway that has the workflow starts it" },
    {
      command: `treadle cron run nightly --input '{"day":"2026-05-04"}'`,
      meaning: "with another input, once",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("<id>", "id of the schedule")
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: the schedule's)");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const cronId = args[0] as string;
    const { input } = options;
    const given =
      input === undefined ? undefined : await readJsonObject({ option: "--input", value: input }, terminal);
    const source = await openSchedules(call, { readOnly: false });
    const occurrence = await source.run({ cronId, ...(given !== undefined && { input: given }) });
    const { state, runId, reason } = occurrence;
    return {
      json: occurrence,
      text: (colors) =>
        runId === null
          ? `${colors.yellow("!")} ${state}: ${reason}`
          : `${colors.green("✓")} run ${runId} ${state === "queued" ? "waits for the run before it" : "is asked for"}; a gateway that has the workflow starts it`,
    };
  },
});
