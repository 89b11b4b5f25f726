import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { requireWith } from "../input/option-rules.js";
import { duration } from "../input/option-values.js";

export interface WatchFlags {
  watch?: boolean;
  /** Milliseconds. */
  interval?: number;
}

/** A shorter one would only keep the machine busy, milliseconds. */
const SHORTEST_INTERVAL_MS = 10;

export function addWatchFlags(command: Command): Command {
  return command
    .option("-w, --watch", "show it again and again; Ctrl-C stops watching and never touches a run")
    .option(
      "--interval <duration>",
      "time between two looks of --watch (default: 2s)",
      duration("--interval"),
    );
}

/** @throws CLI_USAGE */
export function checkWatchFlags(options: WatchFlags): void {
  requireWith(options, { interval: "watch" });
  if (options.interval === undefined || options.interval >= SHORTEST_INTERVAL_MS) return;
  throw new ServiceError("CLI_USAGE", "--interval: expected 10ms or more.");
}
