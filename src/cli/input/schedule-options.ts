import type { Command } from "commander";
import {
  CATCH_UP_POLICIES,
  type CatchUpPolicy,
  OVERLAP_POLICIES,
  type OverlapPolicy,
} from "../../model/schedule.js";
import type { Terminal } from "../terminal.js";
import { readJsonObject } from "./json-argument.js";
import { oneOf } from "./option-values.js";

/** The texts for an option that is not given: of a new schedule, and of one that is there. */
const ABSENT = {
  create: { zone: "UTC", overlap: "skip", catchUp: "skip", input: "{}" },
  update: { zone: "as it is", overlap: "as it is", catchUp: "as it is", input: "as it is" },
} as const;

/** Arguments that `cron create` and `cron update` share. */
export interface ScheduleArguments {
  timeZone?: string;
  overlap?: OverlapPolicy;
  catchUp?: CatchUpPolicy;
  input?: string;
}

export function addScheduleOptions(command: Command, use: keyof typeof ABSENT): void {
  const absent = ABSENT[use];
  command
    .option(
      "--time-zone <name>",
      `zone that the pattern is read in, such as Europe/Berlin (default: ${absent.zone})`,
    )
    .option(
      "--overlap <policy>",
      `while the run before continues: ${OVERLAP_POLICIES.join(", ")} (default: ${absent.overlap})`,
      oneOf("--overlap", OVERLAP_POLICIES),
    )
    .option(
      "--catch-up <policy>",
      `for times that no process was there for: ${CATCH_UP_POLICIES.join(", ")} (default: ${absent.catchUp})`,
      oneOf("--catch-up", CATCH_UP_POLICIES),
    )
    .option(
      "-i, --input <json>",
      `input of its runs as JSON, @file or - for standard input (default: ${absent.input})`,
    );
}

/** Those that were given, as operations take them. */
export async function givenSchedule(
  { timeZone, overlap, catchUp, input }: ScheduleArguments,
  terminal: Terminal,
) {
  return {
    ...(timeZone !== undefined && { timeZone }),
    ...(overlap !== undefined && { overlap }),
    ...(catchUp !== undefined && { catchUp }),
    ...(input !== undefined && {
      input: await readJsonObject({ option: "--input", value: input }, terminal),
    }),
  };
}
