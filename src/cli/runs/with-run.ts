import { Argument } from "commander";
import type { RunRow } from "../../model/run.js";
import type { CommandCall } from "../command.js";
import { findRun, openWorkspace, type Workspace } from "../../operations/index.js";

/** The positional argument of every command about one run. */
export function runArgument(): Argument {
  return new Argument("<run>", "id of a run, the unique start of one, or latest (also -)");
}

/**
 * Opens the database and finds the run that the first argument means.
 * @throws CLI_DB_NOT_FOUND, RUN_NOT_FOUND, CLI_USAGE
 */
export async function openNamedRun(
  { terminal, options, args }: CommandCall,
  access: { readOnly: boolean },
): Promise<Workspace & { run: RunRow }> {
  const workspace = await openWorkspace(terminal, { ...options, ...access });
  return { ...workspace, run: await findRun(workspace.store, args[0] as string) };
}
