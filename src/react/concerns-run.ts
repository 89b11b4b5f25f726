import type { WorkspaceChange } from "../client/index.js";

/** Whether a change of the gateway's lists can be one of a run. */
export function concernsRun(runId: string, { kind, ids }: WorkspaceChange): boolean {
  return (
    kind !== "schedules" &&
    kind !== "webhooks" &&
    kind !== "workflows" &&
    (ids === null || ids.includes(runId))
  );
}
