import { nameOf, type Registered } from "./registered-workflow.js";

/** What clients are told of a registered workflow. */
export interface WorkflowDescription {
  key: string;
  /** The name on `<Workflow>`; null when it depends on the input. */
  workflowName: string | null;
  readableName: string | null;
  description: string | null;
  /** Cron expression. */
  schedule: string | null;
  hasWebhook: boolean;
  /** Where its page is; null without one. */
  uiPath: string | null;
}

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
