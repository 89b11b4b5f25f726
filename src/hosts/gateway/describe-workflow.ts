import type { WorkflowDescription } from "../../client/gateway-descriptions.js";
import { nameOf, type Registered } from "./registered-workflow.js";

/** A registered workflow as clients see it. */
export function describeWorkflow({ key, workflow, options }: Registered): WorkflowDescription {
  const { schedule = null, webhook, ui } = options;
  const path = `/workflows/${key}`;
  return {
    key,
    workflowName: nameOf(workflow),
    readableName: workflow.readableName ?? null,
    description: workflow.description ?? null,
    fingerprint: workflow.opts.workflowHash ?? null,
    schedule,
    hasWebhook: webhook !== undefined,
    uiPath: ui === undefined ? null : ui === true ? path : (ui.path ?? path),
  };
}
