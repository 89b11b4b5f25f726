import type { GatewayMethods } from "../client/index.js";
import { isTerminal } from "../model/run.js";
import { ENDED_LOOK_MS } from "./event-log.js";
import { type QueryResult, type ReadOptions, useQuery } from "./use-query.js";

type Run = GatewayMethods["getRun"]["result"];

/**
 * One run with what keeps it from continuing, kept up to date; at once where its events are shown as well.
 * `pollMs`: 2000 by default; looked at less often once it has ended.
 * @param runId null or undefined: nothing is read
 */
export function useRun(
  runId: string | null | undefined,
  { pollMs = 2_000 }: ReadOptions = {},
): QueryResult<Run> {
  return useQuery(runId == null ? null : ["getRun", runId, pollMs], (client) => ({
    load: (signal) => client.getRun({ runId: runId ?? "" }, { signal }),
    nextLookMs: (run) =>
      run !== undefined && isTerminal(run.status) ? Math.max(pollMs, ENDED_LOOK_MS) : pollMs,
  }));
}
