import { useMemo, useSyncExternalStore } from "react";
import { useProvided } from "./client-provider.js";
import type { QueryOptions, QueryState } from "./polled-read.js";
import type { GatewayClient } from "../client/index.js";

/** The result of a hook's read, and how to repeat it at once. */
export interface QueryResult<T> extends QueryState<T> {
  /** Resolves when the answer, or the failure, is there. */
  refetch(): Promise<void>;
}

/** Of the hooks that read. */
export interface ReadOptions {
  /**
   * Milliseconds between two looks. They come on top of those after each change that the gateway tells of.
   * @default 15000; 2000 while it tells of none
   */
  pollMs?: number;
}

/** Looks by time also show what no process writes: that one has died. */
export const lookEveryMs = (isLive: boolean): number => (isLive ? 15_000 : 2_000);

/** @param key what is read, as JSON; null = nothing for now */
export function useQuery<T>(
  key: readonly unknown[] | null,
  options: (client: GatewayClient) => QueryOptions<T>,
): QueryResult<T> {
  const { client, reads } = useProvided();
  const text = key === null ? null : JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that the options depend on.
  const query = useMemo(
    () => (text === null ? null : reads.query([text], options(client))),
    [client, reads, text],
  );
  const state = useSyncExternalStore(
    query?.subscribe ?? never,
    query?.state ?? nothing,
    query?.state ?? nothing,
  );
  return useMemo(() => ({ ...state, refetch: query?.refetch ?? resolved }), [state, query]);
}

const NOTHING = { data: undefined, error: undefined, isLoading: false, isStale: false, updatedAtMs: null };
const nothing = () => NOTHING;
const never = () => () => {};
const resolved = async () => {};
