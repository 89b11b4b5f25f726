/** @jsxImportSource react */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { FindField } from "../parts/FindField.js";
import { Reading } from "../parts/Reading.js";
import { TreeLine } from "./TreeLine.js";
import type { FrameRead } from "./use-frame.js";
import {
  STATE_FILTERS,
  type StateFilter,
  isMinor,
  type TreeNode,
  treeRows,
  visibleRows,
} from "./tree-rows.js";

interface TaskTreeProps {
  runId: string;
  /** With the tree. */
  read: FrameRead;
  nodes: readonly TreeNode[];
  selected: string | undefined;
}

const LINE = 32;
const NOTHING: ReadonlySet<string> = new Set();

/** The rendered tree with the tasks of the run, as the gateway's rows say; only the lines in sight are drawn. */
export function TaskTree({ runId, read: { frame, error, isLoading }, nodes, selected }: TaskTreeProps) {
  const { go } = useRouter();
  const [filter, setFilter] = useState<StateFilter>("all");
  const [text, setText] = useState("");
  const [collapsed, setCollapsed] = useState(NOTHING);
  const [hidesMinor, setHidesMinor] = useState(true);
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const id = useId();
  const rows = useMemo(
    // Without its tree the list would be another one a moment later.
    () => (isLoading ? [] : treeRows(frame?.xml ?? null, frame?.tasks ?? [], nodes)),
    [frame, nodes, isLoading],
  );
  const visible = useMemo(
    () => visibleRows(rows, { filter, text, collapsed, hidesMinor }),
    [rows, filter, text, collapsed, hidesMinor],
  );
  const minor = useMemo(() => rows.filter(isMinor).length, [rows]);
  const virtual = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    getItemKey: (index) => visible[index]?.key ?? index,
    overscan: 12,
  });
  const current = Math.min(active, visible.length - 1);
  const open = (index: number) => {
    setActive(index);
    const row = visible[index];
    if (row !== undefined && row.nodes.length > 0 && row.name !== null)
      go(places.node(runId, row.name), { replaces: selected !== undefined });
    else if (row?.isGroup === true) toggle(row.key);
  };
  const toggle = (key: string) => {
    const next = new Set(collapsed);
    if (!next.delete(key)) next.add(key);
    setCollapsed(next);
  };
  const place = selected === undefined ? -1 : visible.findIndex((row) => row.name === selected);
  const lastPlace = useRef<string>(undefined);
  useEffect(() => {
    if (lastPlace.current === selected || (selected !== undefined && place === -1)) return;
    lastPlace.current = selected;
    if (place === -1) return;
    setActive(place);
    virtual.scrollToIndex(place);
  }, [selected, place, virtual]);
  const move = (to: number) => {
    const index = Math.max(0, Math.min(visible.length - 1, to));
    setActive(index);
    virtual.scrollToIndex(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = visible[current];
    const isCollapsed = row !== undefined && collapsed.has(row.key);
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(current + 1),
      ArrowUp: () => move(current - 1),
      PageDown: () => move(current + 20),
      PageUp: () => move(current - 20),
      Home: () => move(0),
      End: () => move(visible.length - 1),
      ArrowRight: () => (row?.isGroup && isCollapsed ? toggle(row.key) : move(current + 1)),
      ArrowLeft: () => (row?.isGroup && !isCollapsed ? toggle(row.key) : move(parentOf(current))),
      Enter: () => open(current),
      "/": () => searchField.current?.focus(),
    };
    const act = keys[event.key];
    if (act === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const parentOf = (index: number) => {
    const level = visible[index]?.level ?? 0;
    for (let above = index - 1; above >= 0; above -= 1)
      if ((visible[above]?.level ?? 0) < level) return above;
    return index;
  };
  return (
    <section className="pane tree-pane" aria-label="Tasks">
      <div className="tree-tools">
        <fieldset className="segments">
          <legend className="unseen">Which tasks</legend>
          {STATE_FILTERS.map((name) => (
            <button key={name} type="button" aria-pressed={filter === name} onClick={() => setFilter(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <FindField
          ref={searchField}
          name="Find a task"
          placeholder="Find a task"
          value={text}
          onChange={setText}
        />
        {minor > 0 && (
          <label className="check">
            <input
              type="checkbox"
              checked={!hidesMinor}
              onChange={({ target }) => setHidesMinor(!target.checked)}
            />{" "}
            {minor} of low importance
          </label>
        )}
      </div>
      {error !== undefined && frame === undefined && (
        <p className="hint pad">The tree cannot be shown ({error.message}); these are its tasks.</p>
      )}
      <Reading error={undefined} isLoading={isLoading} isStale={false} />
      {!isLoading && visible.length === 0 && (
        <p className="empty">{nodes.length === 0 ? "No task yet." : "No task is like this."}</p>
      )}
      <div ref={scroller} className="tree-scroll">
        <div
          role="tree"
          aria-label="Tasks of the run"
          tabIndex={0}
          className="tree"
          style={{ height: virtual.getTotalSize() }}
          aria-activedescendant={current < 0 ? undefined : `${id}${current}`}
          onKeyDown={onKeyDown}
        >
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = visible[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                className="tree-place"
                style={{ height: LINE, transform: `translateY(${start}px)` }}
              >
                <TreeLine
                  id={`${id}${index}`}
                  row={row}
                  isActive={index === current}
                  isSelected={row.nodes.length > 0 && row.name === selected}
                  isCollapsed={collapsed.has(row.key)}
                  onOpen={() => open(index)}
                  onToggle={() => toggle(row.key)}
                />
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
