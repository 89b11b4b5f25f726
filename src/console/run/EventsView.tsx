/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useRunEvents } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { saveFile } from "../parts/save-file.js";
import { Json } from "../parts/Json.js";
import { shown, shownShort } from "../parts/text.js";
import { useRouter } from "../frame/router.js";
import { useEarlierEvents, useFirstSeq } from "./use-earlier-events.js";

interface EventsViewProps {
  runId: string;
  /** Only of this task. */
  nodeId?: string;
}

/** Newest events that are followed; earlier ones are read when they are asked for. */
const FOLLOWED = 2_000;
const LINE = 30;

/** The log of a run as the gateway keeps it, newest first. */
export function EventsView({ runId, nodeId }: EventsViewProps) {
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
  const { query } = useRouter();
  const [text, setText] = useState(() => query.get("node") ?? "");
  const [types, setTypes] = useState<readonly string[]>(() => query.getAll("type"));
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [chosen, setChosen] = useState<number | null>(() => seqOf(query.get("seq")));
  const earlier = useEarlierEvents(runId, followed[0]?.seq ?? (afterSeq ?? -1) + 1);
  const scroller = useRef<HTMLDivElement>(null);
  const all = useMemo(() => [...earlier.events, ...followed], [earlier.events, followed]);
  const known = useMemo(() => [...new Set(all.map(({ event }) => event.type))].toSorted(), [all]);
  const listed = useMemo(() => {
    const wanted = matcher(text);
    return all
      .filter(({ event }) => {
        if (nodeId !== undefined && !("nodeId" in event && event.nodeId === nodeId)) return false;
        if (types.length > 0 && !types.includes(event.type)) return false;
        if (isFailedOnly && !/Failed|Refused|Lost/.test(event.type)) return false;
        return wanted === undefined || wanted(JSON.stringify(event));
      })
      .toReversed();
  }, [all, nodeId, types, isFailedOnly, text]);
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 12,
  });
  const opened = chosen === null ? undefined : all.find(({ seq }) => seq === chosen);
  return (
    <section className="pane events-pane" aria-label="Events">
      <div className="tree-tools">
        <label className="find">
          <Icon name="search" />
          <span className="unseen">Find in events: text, or /expression/</span>
          <input
            type="search"
            placeholder="Text, or /expression/"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label>
          <span className="unseen">Type of the events</span>
          <select
            value={types.length === 1 ? types[0] : ""}
            onChange={(event) => setTypes(event.target.value === "" ? [] : [event.target.value])}
          >
            <option value="">{types.length > 1 ? `${types.length} types` : "every type"}</option>
            {[...new Set([...known, ...types])].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={(event) => setFailedOnly(event.target.checked)}
          />{" "}
          failed only
        </label>
        <button
          type="button"
          className="plain"
          onClick={() =>
            saveFile(
              `${runId}.ndjson`,
              listed.map((event) => `${JSON.stringify(event)}\n`).join(""),
              "application/x-ndjson",
            )
          }
        >
          <Icon name="download" /> NDJSON
        </button>
        <span className="hint" role="status">
          {listed.length.toLocaleString()} {isOver ? "events" : "events, live"}
        </span>
      </div>
      <Reading {...reading} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section ref={scroller} className="tree-scroll" tabIndex={0} aria-label="List of events">
        <ol className="tree" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = listed[index];
            if (item === undefined) return null;
            const { seq, event } = item;
            return (
              <li
                key={seq}
                className="tree-place"
                style={{ height: LINE, transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className={seq === chosen ? "event selected" : "event"}
                  aria-expanded={seq === chosen}
                  onClick={() => setChosen(seq === chosen ? null : seq)}
                >
                  <code className="seq">{seq}</code>
                  <time className="number" dateTime={new Date(event.timestampMs).toISOString()}>
                    {new Date(event.timestampMs).toLocaleTimeString()}
                  </time>
                  <span className={/Failed/.test(event.type) ? "bad" : undefined}>{event.type}</span>
                  {"nodeId" in event && event.nodeId !== undefined && (
                    <code>{shownShort(event.nodeId, 60)}</code>
                  )}
                </button>
              </li>
            );
          })}
        </ol>
      </section>
      {earlier.hasMore && (
        <button
          type="button"
          className="button"
          disabled={earlier.isPending}
          onClick={() => void earlier.read()}
        >
          <Icon name="down" /> Read earlier events
        </button>
      )}
      {opened !== undefined && (
        <div className="opened">
          <h3>
            Event {opened.seq}: {shown(opened.event.type)}
          </h3>
          <Json value={opened.event} name={`event ${opened.seq}`} />
        </div>
      )}
    </section>
  );
}

function seqOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Undefined: everything. An expression that is not finished yet is looked for as text. */
function matcher(text: string): ((json: string) => boolean) | undefined {
  if (text.trim() === "") return undefined;
  const [, source] = /^\/(.+)\/$/.exec(text) ?? [];
  if (source !== undefined) {
    try {
      const expression = new RegExp(source, "i");
      return (json) => expression.test(json);
    } catch {
      // Looked for as text.
    }
  }
  const wanted = text.toLowerCase();
  return (json) => json.toLowerCase().includes(wanted);
}
