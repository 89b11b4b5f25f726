import type { GatewayClient } from "../../client/index.js";
import type { StoredEvent } from "../../model/events.js";
import { asked, asServiceError } from "./open-client.js";
import type { EventPage, EventStream } from "./place.js";

/** Entries of one answer, of whatever kind: a gateway gives no more. */
export const PAGE = 500;

/** As many as are wanted, however few one answer has. */
export async function eventPage(
  client: GatewayClient,
  { limit, ...page }: EventPage,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  let place = {};
  for (;;) {
    const size = Math.min(PAGE, limit - all.length);
    const { events, hasMore } = await client.listEvents({ ...page, ...place, limit: size });
    all.push(...events);
    const last = events.at(-1)?.seq;
    if (!hasMore || all.length >= limit || last === undefined) return all;
    place = page.descending === true ? { beforeSeq: last } : { afterSeq: last };
  }
}

/** The events that there are, page by page, then those that come. */
export async function* followedEvents(
  client: GatewayClient,
  { follow: waits, limit = Number.POSITIVE_INFINITY, signal, ...stream }: EventStream,
): AsyncGenerator<StoredEvent, void> {
  const { runId, types, nodeId } = stream;
  let { afterSeq = -1 } = stream;
  let left = limit;
  const [newest] = waits ? await asked(eventPage(client, { runId, limit: 1, descending: true })) : [];
  while (left > 0 && signal?.aborted !== true) {
    const size = Math.min(PAGE, left);
    const page = await asked(eventPage(client, { ...stream, afterSeq, limit: size }));
    for (const stored of page) {
      yield stored;
      afterSeq = stored.seq;
      left -= 1;
    }
    if (page.length < size) break;
  }
  if (!waits || left <= 0) return;
  const from = Math.max(afterSeq, newest?.seq ?? -1);
  const isWanted = ({ event }: StoredEvent) =>
    (types === undefined || types.includes(event.type)) &&
    (nodeId === undefined || ("nodeId" in event && event.nodeId === nodeId));
  const coming = client.runEvents(runId, { afterSeq: from, ...(signal !== undefined && { signal }) });
  try {
    for await (const stored of coming) {
      if (!isWanted(stored)) continue;
      yield stored;
      left -= 1;
      if (left <= 0) return;
    }
  } catch (error) {
    throw asServiceError(error);
  }
}
