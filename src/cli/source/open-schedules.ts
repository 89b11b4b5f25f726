import { openWorkspace } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import type { ScheduleSource } from "./schedule-source.js";

/** The schedules of the place that a call is about. @throws CLI_DB_NOT_FOUND, TASK_MAY_NOT_DECIDE */
export async function openSchedules(
  { terminal, options }: CommandCall,
  { readOnly }: { readOnly: boolean },
): Promise<ScheduleSource> {
  const { gateway, db } = options;
  if (gateway === undefined) {
    const workspace = await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly });
    const { localSchedules } = await import("./local-schedules.js");
    return localSchedules(workspace, terminal);
  }
  const [{ openClient }, { gatewaySchedules }, { refuseMarkedTask }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-schedules.js"),
    import("../../operations/workspace/outside-tasks.js"),
  ]);
  if (!readOnly) refuseMarkedTask(terminal);
  return gatewaySchedules(await openClient(gateway, terminal));
}
