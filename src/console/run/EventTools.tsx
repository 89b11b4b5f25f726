/** @jsxImportSource react */
import { EVENT_CATEGORIES, type EventCategory } from "../../model/event-category.js";
import { formatDuration } from "../../util/duration.js";
import { FindField } from "../parts/FindField.js";
import { Icon } from "../parts/Icon.js";

/** How the time of an event is written. */
export const EVENT_TIMES = {
  clock: "clock",
  utc: "UTC",
  since: "since the first event",
} as const;
export type EventTimes = keyof typeof EVENT_TIMES;

/** What of the log is listed, in which order, and how. */
export interface EventView {
  text: string;
  /** Null: of all. */
  category: EventCategory | null;
  types: readonly string[];
  isFailedOnly: boolean;
  isOldestFirst: boolean;
  times: EventTimes;
}

interface EventToolsProps {
  view: EventView;
  onChange(part: Partial<EventView>): void;
  /** That the log has, of the category. */
  known: readonly string[];
  onSave(): void;
}

export function EventTools({ view, onChange, known, onSave }: EventToolsProps) {
  const { text, category, types, isFailedOnly, isOldestFirst, times } = view;
  return (
    <>
      <FindField
        name="Find in events: text, or /expression/"
        placeholder="Text, or /expression/"
        value={text}
        onChange={(next) => onChange({ text: next })}
      />
      <label>
        <span className="unseen">Category of the events</span>
        <select
          value={category ?? ""}
          onChange={({ target }) => onChange({ category: eventCategoryOf(target.value), types: [] })}
        >
          <option value="">every category</option>
          {EVENT_CATEGORIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        <span className="unseen">Type of the events</span>
        <select
          value={types.length === 1 ? types[0] : ""}
          onChange={({ target }) => onChange({ types: target.value === "" ? [] : [target.value] })}
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
          onChange={({ target }) => onChange({ isFailedOnly: target.checked })}
        />{" "}
        failed only
      </label>
      <label>
        <span className="unseen">Times</span>
        <select value={times} onChange={({ target }) => onChange({ times: target.value as EventTimes })}>
          {Object.entries(EVENT_TIMES).map(([name, words]) => (
            <option key={name} value={name}>
              Times: {words}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="plain" onClick={() => onChange({ isOldestFirst: !isOldestFirst })}>
        <Icon name={isOldestFirst ? "down" : "up"} /> {isOldestFirst ? "oldest first" : "newest first"}
      </button>
      <button type="button" className="plain" onClick={onSave}>
        <Icon name="download" /> NDJSON
      </button>
    </>
  );
}

/** Null for what is none. */
export function eventCategoryOf(text: string | null): EventCategory | null {
  return EVENT_CATEGORIES.find((category) => category === text) ?? null;
}

/** @param firstMs of the first event of the run */
export function eventTime(atMs: number, times: EventTimes, firstMs: number): string {
  switch (times) {
    case "clock":
      return new Date(atMs).toLocaleTimeString();
    case "utc":
      return `${new Date(atMs).toISOString().slice(11, 23)}Z`;
    case "since":
      return `+${formatDuration(Math.max(0, atMs - firstMs))}`;
    default:
      return times satisfies never;
  }
}
