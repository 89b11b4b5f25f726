// treadle/react
export type { ActionState } from "./use-action.js";
export { ClientProvider, type ClientProviderProps, useClient } from "./client-provider.js";
export type { QueryState } from "./polled-read.js";
export { type Answer, type ApprovalsResult, useApprovals } from "./use-approvals.js";
export { type LaunchHook, useLaunch } from "./use-launch.js";
export type { QueryResult, ReadOptions } from "./use-query.js";
export { useMethod } from "./use-method.js";
export { useRun } from "./use-run.js";
export { type RunEventsHookOptions, type RunEventsResult, useRunEvents } from "./use-run-events.js";
export { useRuns } from "./use-runs.js";
export { type SignalHook, useSignal } from "./use-signal.js";
