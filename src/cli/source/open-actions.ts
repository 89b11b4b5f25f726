import { openWorkspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { localActions } from "./local-actions.js";
import type { RunActions } from "./run-actions.js";
import type { KnownRun } from "./run-source.js";

/**
 * The actions of a call on runs, in the place that it is about.
 * @param options.readOnly only looked at, as for `--dry-run`
 * @throws CLI_DB_NOT_FOUND, TASK_MAY_NOT_DECIDE
 */
export async function openActions(
  { terminal, options }: CommandCall,
  { readOnly }: { readOnly: boolean },
): Promise<RunActions> {
  const { gateway, db } = options;
  if (gateway === undefined) {
    return localActions(
      await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly }),
      terminal,
    );
  }
  const [{ openClient }, { gatewayActions }, { refuseMarkedTask }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-actions.js"),
    import("../../operations/workspace/outside-tasks.js"),
  ]);
  if (!readOnly) refuseMarkedTask(terminal);
  return gatewayActions(await openClient(gateway, terminal));
}

/** The same, with the run that the first argument means. @throws RUN_NOT_FOUND, CLI_USAGE */
export async function openNamedActions(
  call: CommandCall,
  access: { readOnly: boolean },
): Promise<{ actions: RunActions; run: KnownRun }> {
  const actions = await openActions(call, access);
  return { actions, run: await actions.find(call.args[0] as string) };
}
