import { useMemo, useSyncExternalStore } from "react";
import type { GatewayClient, SequencedEvent } from "../client/index.js";
import { useProvided } from "./client-provider.js";
import type { EventLogState } from "./event-log.js";

/** Which events of a run are kept. */
export interface RunEventsHookOptions {
  /** Only events with a greater `seq`. @default -1: from the first */
  afterSeq?: number;
  /** Newest events that are kept. @default 1000 */
  limit?: number;
}

/** The events of a run so far. */
export interface RunEventsResult {
  /** In order. */
  data: readonly SequencedEvent[];
  /** Why there are no more; undefined while all is well. */
  error: Error | undefined;
  /** The stream is not open yet. */
  isLoading: boolean;
  /** The connection is lost: there may be newer events. It comes back by itself. */
  isStale: boolean;
  /** The run has ended, and these are all; false again when a process continues with it. */
  isOver: boolean;
}

/**
 * Follows the events of a run.
 * @param runId null or undefined: nothing is read
 */
export function useRunEvents(
  runId: string | null | undefined,
  { afterSeq = -1, limit = 1_000 }: RunEventsHookOptions = {},
): RunEventsResult {
  const { client, reads } = useProvided();
  const log = useMemo(
    () => (runId == null ? null : reads.log({ runId, afterSeq, limit })),
    [reads, runId, afterSeq, limit],
  );
  const state = useSyncExternalStore(log?.subscribe ?? never, log?.state ?? nothing, log?.state ?? nothing);
  const connection = useSyncExternalStore(
    client.onConnection,
    () => client.connection,
    () => client.connection,
  );
  const { events, error, isOver } = state;
  const isWaiting = log !== null && !isOver && error === undefined;
  return {
    data: events,
    error,
    isOver,
    isLoading: isWaiting && events.length === 0 && connection.status !== "open",
    isStale: isWaiting && isLost(connection),
  };
}

/** Also while it is tried again. */
function isLost(connection: GatewayClient["connection"]): boolean {
  return (
    connection.status === "offline" || (connection.status === "connecting" && connection.error !== undefined)
  );
}

const NOTHING: EventLogState = { events: [], error: undefined, isOver: false };
const nothing = () => NOTHING;
const never = () => () => {};
