import type { WorkflowDescription } from "../../client/gateway-methods.js";
import { nameOf, type Registered } from "./registered-workflow.js";

/** What clients are told of a registered workflow. */
export function describeWorkflow({ key, workflow, options }: Registered): WorkflowDescription {
  const { schedule = null, webhook, ui } = options;
  const path = `/workflows/${key}`;
  return {
    key,
    workflowName: nameOf(workflow),
    readableName: workflow.readableName ?? null,
    description: workflow.description ?? null,
    schedule,
    hasWebhook: webhook !== undefined,
    uiPath: ui === undefined ? null : ui === true ? path : (ui.path ?? path),
  };
}
