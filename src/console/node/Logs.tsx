/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { RunEventType } from "../../model/events.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { saveFile } from "../parts/save-file.js";
import { shownShort } from "../parts/text.js";
import { linesOf } from "./log-lines.js";
import { type NodeAddress, useNodeLog } from "./use-node-log.js";

const TYPES: RunEventType[] = ["NodeOutput"];
const LINE = 20;
/** Characters of a line that are drawn; the file has all of it. */
const LONGEST = 2_000;

/** Lines that the task has written, oldest first; the end is followed until the reader scrolls away from it. */
export function Logs(address: NodeAddress) {
  const { events, hasEarlier, readEarlier, isOver, ...reading } = useNodeLog(address, TYPES);
  const [text, setText] = useState("");
  const [stream, setStream] = useState("");
  const [isFollowed, setFollowed] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(events), [events]);
  const listed = useMemo(() => {
    const wanted = text.toLowerCase();
    return lines.filter(
      (line) => (stream === "" || line.stream === stream) && line.text.toLowerCase().includes(wanted),
    );
  }, [lines, text, stream]);
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    getItemKey: (index) => listed[index]?.key ?? index,
    overscan: 20,
  });
  useEffect(() => {
    if (isFollowed && listed.length > 0) virtual.scrollToIndex(listed.length - 1, { align: "end" });
  }, [isFollowed, listed, virtual]);
  return (
    <section className="log-pane" aria-label="Log of the task">
      <div className="tree-tools">
        <label className="find">
          <Icon name="search" />
          <span className="unseen">Find in the log</span>
          <input
            type="search"
            placeholder="Text"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <label>
          <span className="unseen">Stream</span>
          <select value={stream} onChange={(event) => setStream(event.target.value)}>
            <option value="">both streams</option>
            <option>stdout</option>
            <option>stderr</option>
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={isFollowed}
            onChange={(event) => setFollowed(event.target.checked)}
          />{" "}
          follow
        </label>
        <button
          type="button"
          className="plain"
          onClick={() =>
            saveFile(
              `${address.runId}-${address.nodeId}.log`,
              listed.map((line) => `${line.text}\n`).join(""),
              "text/plain",
            )
          }
        >
          <Icon name="download" /> Save
        </button>
        <span className="hint" role="status">
          {listed.length.toLocaleString()} {listed.length === 1 ? "line" : "lines"}
          {isOver ? "" : ", live"}
        </span>
      </div>
      <Reading {...reading} />
      {hasEarlier && (
        <button type="button" className="button" onClick={readEarlier}>
          <Icon name="up" /> Read earlier lines
        </button>
      )}
      {!reading.isLoading && lines.length === 0 && <p className="hint pad">The task has written nothing.</p>}
      {lines.length > 0 && (
        <section
          ref={scroller}
          className="log-scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
          tabIndex={0}
          aria-label="Lines"
          onWheel={({ deltaY }) => deltaY < 0 && setFollowed(false)}
        >
          <ol className="log" dir="ltr" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const line = listed[index];
              if (line === undefined) return null;
              return (
                <li
                  key={key}
                  className={line.stream === "stderr" ? "log-line err" : "log-line"}
                  style={{ height: LINE, transform: `translateY(${start}px)` }}
                >
                  <time dateTime={new Date(line.atMs).toISOString()} title={`Attempt ${line.attempt}`}>
                    {new Date(line.atMs).toLocaleTimeString()}
                  </time>
                  {line.stream === "stderr" && <span className="log-stream">stderr</span>}
                  <code>{shownShort(line.text, LONGEST)}</code>
                </li>
              );
            })}
          </ol>
        </section>
      )}
    </section>
  );
}
