import { inboxTable } from "../engine-tables/inbox.js";
import { storedAttemptTable, storedNodeTable } from "../engine-tables/nodes.js";
import type { Migration } from "./dialect.js";
import { addColumn } from "./table-ddl.js";

/** Values that were looked for in JSON, or by the greatest number, get columns. */
export const inboxNotes: Migration = {
  version: 16,
  name: "inbox notes",
  statements: (words) => [
    ...["seen", "ends_with_run"].map((name) => addColumn(inboxTable, name, words)),
    `UPDATE _service_inbox SET seen = 1 WHERE consumed_at_ms IS NULL
      AND id <= (SELECT seen_intent FROM _service_runs r WHERE r.run_no = _service_inbox.run_no)`,
    `UPDATE _service_inbox SET ends_with_run = 1
      WHERE kind = 'cancel' OR (kind = 'hijack' AND ${member("payload_json", "action")} = 'take')`,
    "ALTER TABLE _service_runs DROP COLUMN seen_intent",
    "ALTER TABLE _service_resume_failures RENAME COLUMN newest_intent TO pending_intents",
    `UPDATE _service_resume_failures SET pending_intents = (SELECT count(*) FROM _service_inbox i
      WHERE i.run_no = _service_resume_failures.run_no AND i.consumed_at_ms IS NULL)`,
    addColumn(storedNodeTable, "awaited_event", words),
    `UPDATE _service_nodes SET awaited_event = ${member("wait_json", "event")}
      WHERE ${member("wait_json", "kind")} = 'event'`,
    `CREATE INDEX _service_nodes_by_event ON _service_nodes (awaited_event) WHERE awaited_event IS NOT NULL`,
    addColumn(storedAttemptTable, "has_foreign_child", words),
    `UPDATE _service_attempts SET has_foreign_child = 1 WHERE ${member("meta_json", "childDatabase")} IS NOT NULL`,
  ],
};

/** Of a column of JSON; NULL where that is damaged, which keeps no other row from being taken over. */
function member(column: string, name: string): string {
  return `CASE WHEN json_valid(${column}) THEN json_extract(${column}, '$.${name}') END`;
}
