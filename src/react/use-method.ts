import type { GatewayMethodName, GatewayMethods, WorkspaceChange } from "../client/index.js";
import { lookEveryMs, type QueryResult, type ReadOptions, useQuery } from "./use-query.js";
import { concernsRun } from "./concerns-run.js";

/**
 * The answer of a method that reads, kept up to date: where the params name a run, after its changes, where they name or list workflows, after
 * changes of those, else after every change of the gateway's lists.
 * @param params null: nothing is read
 * @example
 * const { data } = useMethod("inspectRun", { runId });
 */
export function useMethod<M extends GatewayMethodName>(
  method: M,
  params: GatewayMethods[M]["params"] | null,
  { pollMs }: ReadOptions = {},
): QueryResult<GatewayMethods[M]["result"]> {
  const key = params === null ? null : [method, params, pollMs];
  return useQuery<GatewayMethods[M]["result"]>(key, (client) => ({
    load: (signal) => client.call(method, params, { signal }) as Promise<GatewayMethods[M]["result"]>,
    nextLookMs: (_answer, isLive) => pollMs ?? lookEveryMs(isLive),
    isAbout: (change) => isAbout(method, params, change),
  }));
}

/** What a workflow's code says, and no run of it changes. */
const OF_WORKFLOWS: readonly GatewayMethodName[] = ["listWorkflows", "inspectWorkflow"];

/** What databases count over many runs, or the process counts itself: read by time, not with every change. */
const BY_TIME: readonly GatewayMethodName[] = [
  "agentActivity",
  "scoreTrends",
  "workflowActivity",
  "listInputs",
  "hostStatus",
];

function isAbout(method: GatewayMethodName, params: object | null, change: WorkspaceChange): boolean {
  if (BY_TIME.includes(method)) return change.kind === "all";
  if (OF_WORKFLOWS.includes(method)) return change.kind === "workflows";
  if (params === null || !("runId" in params)) return true;
  return concernsRun(String(params.runId), change);
}
