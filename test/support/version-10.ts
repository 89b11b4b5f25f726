import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";

/** The oldest version that is taken over. */
export const VERSION_10 = 10;

const FIXTURE = fileURLToPath(new URL("../fixtures/databases/version-10.sql", import.meta.url));

/** Each a line of the fixture. */
function statements(): string[] {
  return readFileSync(FIXTURE, "utf8").split("\n");
}

/** A database as version 10 left it, with parked runs and a row in every table. No log beside it. */
export function writeVersion10(path: string): void {
  exec(path, statements());
}

/** As a library of version 10 makes a new one. */
export function writeEmptyVersion10(path: string): void {
  const isRow = /^INSERT INTO "(?!_service_migrations)/;
  exec(
    path,
    statements().filter((line) => !isRow.test(line)),
  );
}

/** Copies what version 10 had room for out of a database of this version, as if that library had written it. */
export function copyAsVersion10(from: string, to: string): void {
  writeEmptyVersion10(to);
  const db = new Database(to);
  db.prepare("ATTACH ? AS newer").run(from);
  const tables = (schema: string) =>
    db
      .prepare(
        `SELECT name FROM ${schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_service_memory_words%' AND name <> '_service_migrations'`,
      )
      .pluck()
      .all() as string[];
  const own = (name: string) => !name.startsWith("_service_");
  for (const name of tables("main").filter(own)) db.exec(`DROP TABLE main."${name}"`);
  for (const name of tables("newer").filter(own)) {
    const sql = db.prepare("SELECT sql FROM newer.sqlite_master WHERE name = ?").pluck().get(name);
    db.exec(sql as string);
  }
  for (const name of tables("main")) {
    // Those that have been dropped since are as in a new row.
    const columns = db
      .prepare(
        "SELECT name FROM pragma_table_info(?, 'main') INTERSECT SELECT name FROM pragma_table_info(?, 'newer')",
      )
      .pluck()
      .all(name, name)
      .join(", ");
    // Of the states of a control the newest is written last.
    if (columns !== "")
      db.exec(`INSERT OR REPLACE INTO main."${name}" (${columns}) SELECT ${columns} FROM newer."${name}"`);
  }
  db.exec(`INSERT INTO main._service_snapshots (run_no, frame_no, encoding, snapshot_json)
    SELECT run_no, frame_no, encoding, snapshot_json FROM newer._service_frames WHERE encoding IS NOT NULL`);
  db.close();
}

function exec(path: string, lines: readonly string[]): void {
  const db = new Database(path);
  db.transaction(() => db.exec(lines.join("\n")))();
  db.close();
}
