import { defineCommand } from "../command.js";
import { readJsonObject } from "../input/json-argument.js";
import { openPlace } from "../source/open-place.js";

interface CronRunOptions {
  input?: string;
  dryRun?: boolean;
}

const STATE_TEXT: Readonly<Record<string, string>> = {
  pending: "is asked for; a gateway that has the workflow starts it",
  queued: "waits for the run before it; a gateway that has the workflow starts it",
  fired: "has begun",
};

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
      .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: the schedule's)")
      .option("--dry-run", "only check whether it could be asked for");
  },
  async run(call) {
    const { terminal, args, options } = call;
    const cronId = args[0] as string;
    const { input, dryRun = false } = options;
    const given =
      input === undefined ? undefined : await readJsonObject({ option: "--input", value: input }, terminal);
    const source = await openPlace(call, { readOnly: dryRun });
    const occurrence = await source.cronRun({ cronId, dryRun, ...(given !== undefined && { input: given }) });
    const { state, runId, reason } = occurrence;
    if (dryRun) {
      return { json: { dryRun, ...occurrence }, text: () => `Would ask for a run of schedule ${cronId}.` };
    }
    return {
      json: occurrence,
      text() {
        const { err } = terminal;
        err.line(
          runId === null
            ? `${err.colors.yellow("!")} ${state}: ${reason}`
            : `${err.colors.green("✓")} run ${runId} ${STATE_TEXT[state] ?? state}`,
        );
        return runId ?? "";
      },
    };
  },
});
