import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import type { RunSelection } from "../../operations/bulk/select-runs.js";
import type { ShownState } from "../../operations/read/shown-states.js";
import { requireFilter } from "../input/option-rules.js";
import { duration, positiveInteger, stateList } from "../input/option-values.js";

/** Options that choose many runs. */
export interface SelectionOptions {
  status?: ShownState[];
  workflow?: string;
  olderThan?: number;
  limit?: number;
}

export function addSelectionOptions(command: Command): Command {
  return command
    .optionsGroup("Many at once:")
    .option(
      "-s, --status <list>",
      "runs of these states, comma-separated, as ps shows them",
      stateList("--status"),
    )
    .option("--workflow <name>", "runs of this workflow")
    .option(
      "--older-than <duration>",
      "runs created at least this long ago, e.g. 12h",
      duration("--older-than"),
    )
    .option("-l, --limit <n>", "runs at most", positiveInteger("--limit"));
}

/** @throws CLI_USAGE without any filter: nobody means all runs by saying nothing */
export function selectionOf(
  { status, workflow, olderThan, limit }: SelectionOptions,
  defaults: { states: readonly ShownState[] },
): RunSelection {
  requireFilter({ "--status": status, "--workflow": workflow, "--older-than": olderThan });
  return { states: status ?? defaults.states, workflow, olderThanMs: olderThan, limit };
}

/** One run is named, or several are chosen: a filter that is not looked at would be a surprise. @throws CLI_USAGE */
export function refuseFilters({ status, workflow, olderThan, limit }: SelectionOptions): void {
  const given = { "--status": status, "--workflow": workflow, "--older-than": olderThan, "--limit": limit };
  const flag = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new ServiceError("CLI_USAGE", `${flag} chooses among many runs; leave it out, or name no run.`, {
    details: { option: flag },
  });
}
