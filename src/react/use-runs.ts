import type { GatewayMethods } from "../client/index.js";
import { type QueryResult, type ReadOptions, useQuery } from "./use-query.js";

type Runs = GatewayMethods["listRuns"];

/** A page of runs, newest first, kept up to date. `pollMs`: 2000 by default. */
export function useRuns(
  filter: Runs["params"] = {},
  { pollMs = 2_000 }: ReadOptions = {},
): QueryResult<Runs["result"]> {
  return useQuery(["listRuns", filter, pollMs], (client) => ({
    load: (signal) => client.listRuns(filter, { signal }),
    nextLookMs: () => pollMs,
  }));
}
