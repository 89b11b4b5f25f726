/** @jsxImportSource react */
import { useMemo, useState } from "react";
import type { RunEventType } from "../../model/events.js";
import { Icon } from "../parts/Icon.js";
import { FindField } from "../parts/FindField.js";
import { LineList } from "../parts/LineList.js";
import { textFilter } from "../parts/text-filter.js";
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
  const lines = useMemo(() => linesOf(events), [events]);
  const listed = useMemo(() => {
    const isWanted = textFilter(text) ?? (() => true);
    return lines.filter((line) => (stream === "" || line.stream === stream) && isWanted(line.text));
  }, [lines, text, stream]);
  return (
    <section className="log-pane" aria-label="Log of the task">
      <div className="tree-tools">
        <FindField
          name="Find in the log: text, or /expression/"
          placeholder="Text, or /expression/"
          value={text}
          onChange={setText}
        />
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
        <LineList
          label="Lines"
          className="log-scroll"
          listClass="log"
          lineClass={(index) => (listed[index]?.stream === "stderr" ? "log-line err" : "log-line")}
          count={listed.length}
          height={LINE}
          keyOf={(index) => listed[index]?.key ?? index}
          isFollowed={isFollowed}
          onWheel={({ deltaY }) => deltaY < 0 && setFollowed(false)}
        >
          {(index) => {
            const line = listed[index];
            if (line === undefined) return null;
            return (
              <>
                <time dateTime={new Date(line.atMs).toISOString()} title={`Attempt ${line.attempt}`}>
                  {new Date(line.atMs).toLocaleTimeString()}
                </time>
                {line.stream === "stderr" && <span className="log-stream">stderr</span>}
                <code>{shownShort(line.text, LONGEST)}</code>
              </>
            );
          }}
        </LineList>
      )}
    </section>
  );
}
