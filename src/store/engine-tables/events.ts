import { count, instant, json, nullable, text } from "../columns/column.js";
import { type Columns, RowTable } from "../columns/row-table.js";
import { anything, recordOf } from "../columns/shape.js";

/** An event, taken apart: most have no members besides these and need no JSON at all. */
export interface StoredEventRow {
  seq: number;
  type: string;
  timestampMs: number;
  nodeId: string | null;
  iteration: number | null;
  attempt: number | null;
  /** All other members; what they have to be follows from the type. */
  payload: Record<string, unknown> | null;
}

const eventColumns: Columns<StoredEventRow> = {
  seq: count("seq"),
  type: text("type"),
  timestampMs: instant("timestamp_ms"),
  nodeId: nullable(text("node_id")),
  iteration: nullable(count("iteration")),
  attempt: nullable(count("attempt")),
  payload: nullable(json("payload_json", recordOf(anything))),
};

/** An event as readers see it. */
export const eventTable = new RowTable<StoredEventRow>({
  name: "_service_events",
  key: ["seq"],
  ofRun: true,
  columns: eventColumns,
});

/** All that is kept of an event. */
export const storedEventTable = new RowTable<StoredEventRow & { place: number }>({
  name: eventTable.name,
  key: ["place"],
  ofRun: true,
  storage: { isKeyOfAll: true },
  columns: { place: count("place"), ...eventColumns },
});
