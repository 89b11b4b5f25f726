import { serializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { GatewayClient } from "../../client/index.js";
import { asked } from "./open-client.js";
import type { WorkflowShelf } from "./workflow-shelf.js";

/** The workflows that a gateway has registered; the places of their files stay on its machine. */
export function gatewayWorkflows(client: GatewayClient): WorkflowShelf {
  return {
    async list() {
      const { workflows, broken } = await asked(client.listWorkflows());
      const unknown = { workflowName: null, readableName: null, description: null };
      return [
        ...workflows.map(({ key, workflowName, readableName, description }) => ({
          name: key,
          path: null,
          workflowName,
          readableName,
          description,
          problem: null,
        })),
        ...broken.map(({ key, error }) => ({
          name: key,
          path: null,
          ...unknown,
          problem: serializeError(new ServiceError(error.code, error.summary)),
        })),
      ];
    },
    async inspect(reference, input) {
      const about = await asked(client.inspectWorkflow({ workflow: reference, input }));
      return { name: reference, path: null, ...about };
    },
  };
}
