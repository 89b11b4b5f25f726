import type { Command } from "commander";
import { collect } from "../input/option-values.js";

/** Options that say what a new run is. */
export function addStartFlags(command: Command): Command {
  return command
    .optionsGroup("Start:")
    .option("-i, --input <json>", "input as JSON, @file or - for standard input (default: {})")
    .option("--set <key=value>", "one member of the input; may be repeated", collect)
    .option("-r, --run-id <id>", "id of the run; the same id and input again give the same run")
    .option("--no-preflight", "do not ask the agents of the first frame first whether they can work")
    .option("--dry-run", "check everything and show the first tasks; nothing is started or written")
    .option("--annotations <json>", "object of texts, numbers and booleans kept with the run");
}

/** Options that say how long the process stays with the run, and what it shows. */
export function addStayFlags(command: Command): Command {
  return command
    .optionsGroup("While it runs:")
    .option("--hot", "continue with newer code whenever a file of the workflow is saved; implies --wait")
    .optionsGroup("How long it stays:")
    .option("--wait", "stay also for approvals and signals that have no deadline")
    .option("--no-wait", "do not wait: exit with 3 as soon as the run only waits")
    .option(
      "--detach",
      "continue in a process of its own, which outlives the terminal; prints the id of the run and implies --wait",
    )
    .optionsGroup("What is shown:")
    .option("-v, --verbose", "also what tasks and agents write")
    .option("-q, --quiet", "only the summary")
    .addHelpText("after", EXIT_CODES);
}

const EXIT_CODES = `
Exit codes: 0 finished, 1 failed, 2 cancelled, 3 waiting, 4 wrong call, 130 SIGINT, 143 SIGTERM.
The first Ctrl-C stops and leaves the run resumable; the second one ends at once.`;
