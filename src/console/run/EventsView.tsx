/** @jsxImportSource react */
import { useMemo, useState } from "react";
import type { SequencedEvent } from "../../client/index.js";
import { useMethod, useRunEvents } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Icon } from "../parts/Icon.js";
import { LineList } from "../parts/LineList.js";
import { textFilter } from "../parts/text-filter.js";
import { Reading } from "../parts/Reading.js";
import { saveFile } from "../parts/save-file.js";
import { Json } from "../parts/Json.js";
import { shown, shownShort } from "../parts/text.js";
import { useRouter } from "../frame/router.js";
import { isEventOf } from "../../model/event-category.js";
import { EventTools, eventCategoryOf, eventTime, type EventView } from "./EventTools.js";
import { useEarlierEvents, useFirstSeq } from "./use-earlier-events.js";

interface EventsViewProps {
  runId: string;
  /** Only of this task. */
  nodeId?: string;
}

/** Newest events that are followed; earlier ones are read when they are asked for. */
const FOLLOWED = 2_000;
const LINE = 30;

/** The log of a run as the gateway keeps it. A link to other events of it shows these, whatever was chosen before. */
export function EventsView(props: EventsViewProps) {
  const { query } = useRouter();
  const linked = ["node", "category", "type"].map((name) => query.getAll(name));
  return <Events key={JSON.stringify(linked)} {...props} />;
}

function Events({ runId, nodeId }: EventsViewProps) {
  const afterSeq = useFirstSeq(runId, FOLLOWED);
  const {
    data: followed,
    isOver,
    ...reading
  } = useRunEvents(afterSeq === undefined ? null : runId, {
    afterSeq: afterSeq ?? -1,
    limit: FOLLOWED,
  });
  useRefusal(reading.error);
  const { query, go, parts } = useRouter();
  const [view, setView] = useState<EventView>(() => ({
    text: query.get("node") ?? "",
    category: eventCategoryOf(query.get("category")),
    types: query.getAll("type"),
    isFailedOnly: false,
    isOldestFirst: false,
    times: "clock",
  }));
  const { text, category, types, isFailedOnly, isOldestFirst, times } = view;
  const began = useMethod("listEvents", times === "since" ? { runId, limit: 1 } : null).data?.events[0];
  const chosen = seqOf(query.get("seq"));
  const choose = (seq: number | null) => {
    const kept = Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
    go({ parts, query: { ...kept, seq: seq === null ? undefined : String(seq) } }, { replaces: true });
  };
  const earlier = useEarlierEvents(runId, followed[0]?.seq ?? (afterSeq ?? -1) + 1);
  const all = useMemo(() => [...earlier.events, ...followed], [earlier.events, followed]);
  const known = useMemo(() => {
    const types = [...new Set(all.map(({ event }) => event.type))].toSorted();
    return category === null ? types : types.filter((type) => isEventOf(category, type));
  }, [all, category]);
  const listed = useMemo(() => {
    const wanted = textFilter(text);
    const chosen = all.filter(({ event }) => {
      if (nodeId !== undefined && !("nodeId" in event && event.nodeId === nodeId)) return false;
      if (category !== null && !isEventOf(category, event.type)) return false;
      if (types.length > 0 && !types.includes(event.type)) return false;
      if (isFailedOnly && !/Failed|Refused|Lost/.test(event.type)) return false;
      return wanted === undefined || wanted(JSON.stringify(event));
    });
    return isOldestFirst ? chosen : chosen.toReversed();
  }, [all, nodeId, category, types, isFailedOnly, text, isOldestFirst]);
  const opened = chosen === null ? undefined : all.find(({ seq }) => seq === chosen);
  const readEarlier = earlier.hasMore && (
    <button type="button" className="button" disabled={earlier.isPending} onClick={() => void earlier.read()}>
      <Icon name="down" /> Read earlier events
    </button>
  );
  return (
    <section className="pane events-pane" aria-label="Events">
      <div className="tree-tools">
        <EventTools
          view={view}
          onChange={(part) => setView({ ...view, ...part })}
          known={known}
          onSave={() =>
            saveFile(
              `${runId}.ndjson`,
              listed.map((event) => `${JSON.stringify(event)}\n`).join(""),
              "application/x-ndjson",
            )
          }
        />
        <span className="hint" role="status">
          {listed.length.toLocaleString()} {isOver ? "events" : "events, live"}
        </span>
      </div>
      <Reading {...reading} />
      {isOldestFirst && readEarlier}
      <LineList
        label="List of events"
        count={listed.length}
        height={LINE}
        keyOf={(index) => listed[index]?.seq ?? index}
        chosen={{ key: chosen, index: opened === undefined ? -1 : listed.indexOf(opened) }}
      >
        {(index) => {
          const item = listed[index];
          if (item === undefined) return null;
          const { seq, event } = item;
          return (
            <button
              type="button"
              className={seq === chosen ? "event selected" : "event"}
              aria-expanded={seq === chosen}
              onClick={() => choose(seq === chosen ? null : seq)}
            >
              <code className="seq">{seq}</code>
              <time className="number" dateTime={new Date(event.timestampMs).toISOString()}>
                {eventTime(event.timestampMs, times, began?.event.timestampMs ?? event.timestampMs)}
              </time>
              <span className={/Failed/.test(event.type) ? "bad" : undefined}>{event.type}</span>
              {"nodeId" in event && event.nodeId !== undefined && <code>{shownShort(event.nodeId, 60)}</code>}
            </button>
          );
        }}
      </LineList>
      {!isOldestFirst && readEarlier}
      {chosen !== null && <OpenedEvent key={chosen} runId={runId} seq={chosen} known={opened} />}
    </section>
  );
}

interface OpenedEventProps {
  runId: string;
  seq: number;
  /** Undefined where it is not among those that have been read. */
  known: SequencedEvent | undefined;
}

function OpenedEvent({ runId, seq, known }: OpenedEventProps) {
  const asked = { runId, beforeSeq: seq + 1, descending: true, limit: 1 };
  const { data, ...reading } = useMethod("listEvents", known === undefined ? asked : null);
  const found = known ?? data?.events.find((item) => item.seq === seq);
  return (
    <div className="opened">
      <h3>
        Event {seq}
        {found !== undefined && `: ${shown(found.event.type)}`}
      </h3>
      <Reading {...reading} />
      {found !== undefined && <Json value={found.event} name={`event ${seq}`} />}
      {data !== undefined && found === undefined && <p className="hint">The run has no such event.</p>}
    </div>
  );
}

function seqOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
