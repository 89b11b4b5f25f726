import { useEffect, useState } from "react";
import type { SequencedEvent } from "../../client/index.js";
import { useClient } from "../../react/index.js";

const PAGE = 500;

/** After which event to begin, so that the newest ones are followed and not the whole log is sent; undefined until it is known. */
export function useFirstSeq(runId: string, followed: number): number | undefined {
  const client = useClient();
  const [seq, setSeq] = useState<number>();
  useEffect(() => {
    const stop = new AbortController();
    client.listEvents({ runId, descending: true, limit: 1 }, { signal: stop.signal }).then(
      ({ events }) => setSeq(Math.max(-1, (events[0]?.seq ?? 0) - followed)),
      // The stream says why.
      () => stop.signal.aborted || setSeq(-1),
    );
    return () => stop.abort();
  }, [client, runId, followed]);
  return seq;
}

/** Events from before those that are followed, read page by page. */
export function useEarlierEvents(runId: string, firstSeq: number) {
  const client = useClient();
  const [events, setEvents] = useState<readonly SequencedEvent[]>([]);
  const [isPending, setPending] = useState(false);
  const beforeSeq = events[0]?.seq ?? firstSeq;
  return {
    events,
    isPending,
    hasMore: beforeSeq > 0,
    async read() {
      setPending(true);
      try {
        const page = await client.listEvents({ runId, beforeSeq, descending: true, limit: PAGE });
        setEvents([...page.events.toReversed(), ...events]);
      } finally {
        setPending(false);
      }
    },
  };
}
