import { count, flag, instant, json, nullable, text, withDefault } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import { anything, recordOf } from "../columns/shape.js";

export interface InboxRow {
  id: number;
  kind: string;
  /** The members of the intent; what they have to be follows from the kind. */
  payload: Record<string, unknown>;
  createdAtMs: number;
  consumedAtMs: number | null;
  dedupeKey: string | null;
  /**
   * A process that drove the run has taken note of it. Of each entry, not up to a number: a database may show an entry
   * later than one with a higher number.
   */
  seen: boolean;
  /** It is about the run as it is now, and void when that ends. */
  endsWithRun: boolean;
}

/** News of a run for the process that drives it next. */
export const IS_UNSEEN = "consumed_at_ms IS NULL AND seen = 0";

export const inboxTable = new RowTable<InboxRow>({
  name: "_service_inbox",
  key: ["id"],
  ofRun: true,
  storage: {
    serial: "id",
    unique: ["run_no", "dedupe_key"],
    indexes: {
      pending: { on: ["run_no", "id"], where: "consumed_at_ms IS NULL" },
      unseen: { on: ["run_no"], where: IS_UNSEEN },
    },
  },
  columns: {
    id: count("id"),
    kind: text("kind"),
    payload: json("payload_json", recordOf(anything)),
    createdAtMs: instant("created_at_ms"),
    consumedAtMs: nullable(instant("consumed_at_ms")),
    dedupeKey: nullable(text("dedupe_key")),
    seen: withDefault(flag("seen"), 0),
    endsWithRun: withDefault(flag("ends_with_run"), 0),
  },
});
