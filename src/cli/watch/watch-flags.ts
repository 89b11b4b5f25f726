import type { Command } from "commander";
import { requireWith } from "../input/option-rules.js";
import { interval } from "../input/option-values.js";

export interface WatchFlags {
  watch?: boolean;
  /** Milliseconds. */
  interval?: number;
}

export function addWatchFlags(command: Command): Command {
  return command
    .option("-w, --watch", "show it again and again; Ctrl-C stops watching and never touches a run")
    .option(
      "--interval <duration>",
      "time between two looks of --watch (default: 2s)",
      interval("--interval"),
    );
}

/** @throws CLI_USAGE */
export function checkWatchFlags(options: WatchFlags): void {
  requireWith(options, { interval: "watch" });
}
