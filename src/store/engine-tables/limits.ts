import { count, flag, instant, json, nullable, position, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { listOf, number, object, string } from "../columns/shape.js";

/** A run's declaration of a limit, for as long as the run has this epoch. */
export interface DeclarationRow {
  name: string;
  epoch: number;
  concurrency: number | null;
  perMinute: number | null;
}

export const limitDeclarationTable = new RowTable<DeclarationRow>({
  name: "_service_limit_declarations",
  key: ["name"],
  ofRun: true,
  storage: { isCompact: true, indexes: { by_name: { on: ["name"] } } },
  columns: {
    name: text("name"),
    epoch: count("epoch"),
    concurrency: nullable(count("concurrency")),
    perMinute: nullable(count("per_minute")),
  },
});

/** An attempt's share of a limit; afterwards, for a minute, that it has started. */
export interface SlotRow {
  id: number;
  nodeId: string;
  iteration: number;
  limitName: string;
  /** Of its run: that of a dead owner counts no more. */
  epoch: number;
  takenAtMs: number;
  /** The limit has a rate: the row is kept until it is out of the window. */
  isCounted: boolean;
  /** The attempt is over. */
  isFree: boolean;
}

export const limitSlotTable = new RowTable<SlotRow>({
  name: "_service_limit_slots",
  key: ["id"],
  ofRun: true,
  storage: { serial: "id", indexes: { by_run: { on: ["run_no", "node_id", "iteration"] } } },
  columns: {
    id: count("id"),
    nodeId: text("node_id"),
    iteration: count("iteration"),
    limitName: text("limit_name"),
    epoch: count("epoch"),
    takenAtMs: instant("taken_at_ms"),
    isCounted: flag("is_counted"),
    isFree: flag("is_free"),
  },
});

/** Tasks of a run that wait for slots of the same limits. */
export interface WaiterRow {
  /** Sorted. */
  limits: string[];
  epoch: number;
  /** Who has the lowest has waited longest; a slot puts its run at the end. */
  place: number;
  /** In the order in which they get slots. */
  nodes: { nodeId: string; iteration: number }[];
  sinceMs: number;
}

export const limitWaiterTable = new RowTable<WaiterRow>({
  name: "_service_limit_waiters",
  key: ["limits"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    limits: json("limits_json", listOf(string)),
    epoch: count("epoch"),
    place: position("place"),
    nodes: json("nodes_json", listOf(object({ nodeId: string, iteration: number }))),
    sinceMs: instant("since_ms"),
  },
});
