import type { GatewayMethods } from "../client/index.js";
import { isTerminal } from "../model/run.js";
import { ENDED_LOOK_MS } from "./event-log.js";
import { lookEveryMs, type QueryResult, type ReadOptions, useQuery } from "./use-query.js";
import { concernsRun } from "./concerns-run.js";

type Run = GatewayMethods["getRun"]["result"];

/**
 * One run with what keeps it from continuing, kept up to date; at once where its events are shown as well.
 * Looked at less often once it has ended.
 * @param runId null or undefined: nothing is read
 */
export function useRun(runId: string | null | undefined, { pollMs }: ReadOptions = {}): QueryResult<Run> {
  return useQuery(runId == null ? null : ["getRun", runId, pollMs], (client) => ({
    load: (signal) => client.getRun({ runId: runId ?? "" }, { signal }),
    nextLookMs(run, isLive) {
      const everyMs = pollMs ?? lookEveryMs(isLive);
      return run !== undefined && isTerminal(run.status) ? Math.max(everyMs, ENDED_LOOK_MS) : everyMs;
    },
    isAbout: (change) => concernsRun(runId ?? "", change),
  }));
}
