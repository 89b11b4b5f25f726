/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { RunEventType } from "../../model/events.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { Since } from "../parts/Since.js";
import { shown, shownShort } from "../parts/text.js";
import { ATTEMPT_ENDS, entriesOf, type TranscriptEntry } from "./transcript-entries.js";
import { type NodeAddress, useNodeLog } from "./use-node-log.js";

const TYPES: RunEventType[] = [
  "AgentEvent",
  "ToolCallStarted",
  "ToolCallFinished",
  "StructuredOutputRejected",
  ...ATTEMPT_ENDS,
];
/** Characters of a text that are drawn before the reader asks for more. */
const PART = 4_000;

/** What the agent has said and done, in the order in which it began. */
export function Transcript(address: NodeAddress) {
  const { events, hasEarlier, readEarlier, isOver, ...reading } = useNodeLog(address, TYPES);
  const entries = useMemo(() => entriesOf(events), [events]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 56,
    getItemKey: (index) => entries[index]?.seq ?? index,
    overscan: 6,
  });
  const turn = (seq: number) =>
    setOpened(
      (before) => new Set(before.has(seq) ? [...before].filter((it) => it !== seq) : [...before, seq]),
    );
  return (
    <section className="log-pane" aria-label="Transcript">
      <Reading {...reading} />
      {hasEarlier && (
        <button type="button" className="button" onClick={readEarlier}>
          <Icon name="up" /> Read earlier entries
        </button>
      )}
      {!reading.isLoading && entries.length === 0 && (
        <p className="hint pad">No agent has worked for this task{isOver ? "." : " yet."}</p>
      )}
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        <section ref={scroller} className="log-scroll" tabIndex={0} aria-label="Entries">
          <ol className="log" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const entry = entries[index];
              if (entry === undefined) return null;
              return (
                <li
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className={`told ${entry.kind}`}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Entry entry={entry} isOpened={opened.has(entry.seq)} onTurn={() => turn(entry.seq)} />
                </li>
              );
            })}
          </ol>
        </section>
      )}
    </section>
  );
}

interface EntryProps {
  entry: TranscriptEntry;
  isOpened: boolean;
  onTurn(): void;
}

/** Thoughts and what tools are given are folded until they are asked for. */
function Entry({ entry, isOpened, onTurn }: EntryProps) {
  const { kind, title, text, detail, ok, startedAtMs, endedAtMs, attempt } = entry;
  const hasDetail = Object.keys(detail).length > 0;
  const isFolded = kind === "reasoning" && !isOpened;
  const isLong = text.length > PART;
  const canTurn = hasDetail || isLong || (kind === "reasoning" && text !== "");
  return (
    <>
      <p className="told-head">
        <strong>{kind}</strong>
        {title !== kind && <code>{shownShort(title, 200)}</code>}
        {ok === false && (
          <span className="bad">
            <Icon name="cross" /> failed
          </span>
        )}
        <span className="hint">
          attempt {attempt}, <Moment at={startedAtMs} />
          {endedAtMs !== startedAtMs && (
            <>
              , <Since at={startedAtMs} until={endedAtMs} />
            </>
          )}
        </span>
        {canTurn && (
          <button type="button" className="plain" aria-expanded={isOpened} onClick={onTurn}>
            <Icon name={isOpened ? "up" : "down"} /> {isOpened ? "Less" : "More"}
          </button>
        )}
      </p>
      {text !== "" && !isFolded && (
        <p className="told-text" dir="auto">
          {isOpened ? shown(text) : shownShort(text, PART)}
        </p>
      )}
      {hasDetail && isOpened && <Json value={detail} name={`what ${title} was given and gave`} />}
    </>
  );
}
