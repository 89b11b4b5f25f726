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

/** What `cron create` and `cron update` take alike. */
export interface ScheduleArguments {
  timeZone?: string;
  overlap?: OverlapPolicy;
  catchUp?: CatchUpPolicy;
  input?: string;
}

export function addScheduleOptions(command: Command): void {
  command
    .option("--time-zone <name>", "zone that the pattern is read in, such as Europe/Berlin (new: UTC)")
    .option(
      "--overlap <policy>",
      `while the run before goes on: ${OVERLAP_POLICIES.join(", ")} (new: skip)`,
      oneOf("--overlap", OVERLAP_POLICIES),
    )
    .option(
      "--catch-up <policy>",
      `what nobody was there for: ${CATCH_UP_POLICIES.join(", ")} (new: skip)`,
      oneOf("--catch-up", CATCH_UP_POLICIES),
    )
    .option("-i, --input <json>", "input of its runs as JSON, @file or - for standard input (new: {})");
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
