import type { GatewayClient } from "../../client/index.js";
import { asked } from "./open-client.js";
import type { WorkflowShelf } from "./workflow-shelf.js";

/** The workflows that a gateway has registered; the places of their files stay on its machine. */
export function gatewayWorkflows(client: GatewayClient): WorkflowShelf {
  return {
    async list() {
      const { workflows } = await asked(client.listWorkflows());
      return workflows.map(({ key, workflowName, readableName, description }) => ({
        name: key,
        path: null,
        workflowName,
        readableName,
        description,
        problem: null,
      }));
    },
    async inspect(reference, input) {
      const about = await asked(client.inspectWorkflow({ workflow: reference, input }));
      return { name: reference, path: null, ...about };
    },
  };
}
