import { taskKey } from "../../model/address.js";
import type { ApprovalRow } from "../../model/approval.js";
import type { Store } from "../../store/index.js";

/** Requests that are remembered of one database; the oldest are forgotten first. */
const MOST = 10_000;

const shown = new WeakMap<Store, Map<string, string>>();

const keyOf = (row: ApprovalRow) => `${row.runId}\0${taskKey(row)}`;

/** This process has listed them: a decision that does not say what it is about is about what was listed last. */
export function noteShown(store: Store, rows: readonly ApprovalRow[]): void {
  const known = shown.get(store) ?? new Map<string, string>();
  shown.set(store, known);
  for (const row of rows) {
    const key = keyOf(row);
    known.delete(key);
    known.set(key, row.requestHash);
  }
  for (const key of known.keys()) {
    if (known.size <= MOST) return;
    known.delete(key);
  }
}

/** Hash of the request as this process has listed it last; undefined where it has not. */
export function lastShown(store: Store, row: ApprovalRow): string | undefined {
  return shown.get(store)?.get(keyOf(row));
}
