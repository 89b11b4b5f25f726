import type { CommandCall } from "../command.js";
import type { WorkflowShelf } from "./workflow-shelf.js";

/** The workflows of the place that a call is about. */
export async function openWorkflows({ terminal, options }: CommandCall): Promise<WorkflowShelf> {
  const { gateway } = options;
  if (gateway === undefined) return (await import("./local-workflows.js")).localWorkflows(terminal.cwd);
  const [{ openClient }, { gatewayWorkflows }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-workflows.js"),
  ]);
  return gatewayWorkflows(await openClient(gateway, terminal));
}
