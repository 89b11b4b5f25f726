import type { GatewayMethods } from "../client/index.js";
import { lookEveryMs, type QueryResult, type ReadOptions, useQuery } from "./use-query.js";

type Runs = GatewayMethods["listRuns"];

/** A page of runs, newest first, kept up to date. */
export function useRuns(
  filter: Runs["params"] = {},
  { pollMs }: ReadOptions = {},
): QueryResult<Runs["result"]> {
  return useQuery(["listRuns", filter, pollMs], (client) => ({
    load: (signal) => client.listRuns(filter, { signal }),
    nextLookMs: (_runs, isLive) => pollMs ?? lookEveryMs(isLive),
    isAbout: ({ kind }) => kind === "runs",
  }));
}
