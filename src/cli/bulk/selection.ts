import type { Command } from "commander";
import { ServiceError } from "../../errors/service-error.js";
import { type RunList, type RunListFilter, selectRuns, type ShownState } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { workflowNameOf } from "../runs/workflow-name.js";
import { requireFilter } from "../input/option-rules.js";
import { duration, positiveInteger, stateList } from "../input/option-values.js";

/** Options that choose many runs. */
export interface SelectionOptions {
  status?: ShownState[];
  workflow?: string;
  olderThan?: number;
  limit?: number;
}

/** @param meant the states of those that are meant where nothing is said of them, in words */
export function addSelectionOptions(command: Command, meant: string): Command {
  return command
    .optionsGroup("Many at once:")
    .option(
      "-s, --status <list>",
      `runs of these states, comma-separated, as ps shows them (default: ${meant})`,
      stateList("--status"),
    )
    .option("--workflow <name>", "runs of this workflow: its name, or its file")
    .option(
      "--older-than <duration>",
      "runs created at least this long ago, e.g. 12h",
      duration("--older-than"),
    )
    .option("-l, --limit <n>", "runs at most", positiveInteger("--limit"));
}

/**
 * The runs that a call chooses.
 * @param source.states those that are meant where nothing is said of them
 * @throws CLI_USAGE without any filter: a command without a filter does not mean all runs
 */
export async function selected(
  call: CommandCall<SelectionOptions>,
  source: { list(filter: RunListFilter): Promise<RunList>; states: readonly ShownState[] },
): Promise<RunList> {
  const { status, workflow, olderThan, limit } = call.options;
  requireFilter({ "--status": status, "--workflow": workflow, "--older-than": olderThan });
  return selectRuns(source.list, {
    states: status ?? source.states,
    workflow: await workflowNameOf(call, workflow, source.list),
    olderThanMs: olderThan,
    limit,
  });
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
