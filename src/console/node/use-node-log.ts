import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { RunEventType } from "../../model/events.js";
import { useClient, useRunEvents } from "../../react/index.js";
import { useFirstSeq } from "../run/use-earlier-events.js";
import { NodeLog, type NodeLogState } from "./node-log.js";

/** Which task in which round. */
export interface NodeAddress {
  runId: string;
  nodeId: string;
  iteration: number;
}

/**
 * Events of these types of one task, live.
 * @param types always the same array: another one is another log
 */
export function useNodeLog(
  { runId, nodeId, iteration }: NodeAddress,
  types: RunEventType[],
): NodeLogState & { readEarlier(): void; isStale: boolean; isOver: boolean } {
  const client = useClient();
  const log = useMemo(
    () => new NodeLog(client, { runId, nodeId, iteration, types }),
    [client, runId, nodeId, iteration, types],
  );
  const state = useSyncExternalStore(log.subscribe, log.state, log.state);
  // The run's stream says that there is news; what it is about, the gateway is asked for.
  const first = useFirstSeq(runId, 0);
  const { data, isOver, isStale } = useRunEvents(first === undefined ? null : runId, {
    afterSeq: first ?? -1,
    limit: 1,
  });
  const newest = data.at(-1)?.seq;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new event of the run is a reason to look.
  useEffect(() => void log.readOn(), [log, newest, isStale]);
  return { ...state, isOver, isStale, readEarlier: () => void log.readEarlier() };
}
