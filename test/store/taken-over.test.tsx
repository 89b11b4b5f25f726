import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openScene } from "../support/engine/scene.js";
import { filledSchemas } from "../support/filled-database.js";
import { writeVersion10 } from "../support/version-10.js";
import { databasePath, openStore } from "./support/database.js";
import { expectToContinue } from "./support/expect-to-continue.js";
import { PARKED, parkedRuns, parkedSchemas } from "./support/parked-runs.js";

function version10(): string {
  const path = databasePath();
  writeVersion10(path);
  return path;
}

/** What a database is made of, whatever the order of its columns and the words of its SQL. */
function structure(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const rows = (sql: string, ...params: unknown[]) =>
    db
      .prepare(sql)
      .raw()
      .all(...params) as unknown[][];
  const tables = rows(
    "SELECT name, sql LIKE '%WITHOUT ROWID%', sql LIKE '%AUTOINCREMENT%' FROM sqlite_master WHERE type = 'table' AND name LIKE '\\_service\\_%' ESCAPE '\\' ORDER BY name",
  );
  const found = tables.map(([name, ...options]) => ({
    name,
    options,
    columns: rows(
      'SELECT name, type, "notnull" OR pk > 0, dflt_value, pk FROM pragma_table_info(?) ORDER BY name',
      name,
    ),
    indexes: rows('SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY 1', name)
      .map(([index, ...about]) => ({
        index: String(index).startsWith("sqlite_") ? "own" : index,
        about,
        on: rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", index).flat(),
        where: String(
          db.prepare("SELECT sql FROM sqlite_master WHERE name = ?").pluck().get(index) ?? "",
        ).split(" WHERE ")[1],
      }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  }));
  db.close();
  return found;
}

type Rows = Record<string, Record<string, unknown>[]>;

function allRows(path: string): Rows {
  const db = new Database(path, { readonly: true });
  const names = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .pluck()
    .all() as string[];
  const rows = Object.fromEntries(
    names.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]),
  ) as Rows;
  db.close();
  return rows;
}

describe("a database of version 10", () => {
  it("gets the tables that a new one has", () => {
    const [old, fresh] = [version10(), databasePath()];
    openStore(old, filledSchemas).prepare();
    openStore(fresh, filledSchemas).prepare();
    expect(structure(old)).toEqual(structure(fresh));
  });

  it("keeps every value of every row", () => {
    const path = version10();
    const before = allRows(path);
    openStore(path, filledSchemas).prepare();
    const after = allRows(path);
    after._service_snapshots = (after._service_frames ?? []).filter(({ encoding }) => encoding !== null);
    for (const [name, rows] of Object.entries(before)) {
      const kept = after[name]?.slice(0, rows.length);
      const lasting = rows.map(({ seen_intent: _seen, newest_intent: _newest, ...others }) => others);
      expect(kept, name).toMatchObject(lasting);
    }
  });

  it("says of each entry of an inbox what numbers said of all of them", () => {
    const path = version10();
    const before = allRows(path);
    openStore(path, filledSchemas).prepare();
    const after = allRows(path);
    const open = (runNo: unknown) =>
      (before._service_inbox ?? []).filter((row) => row.run_no === runNo && row.consumed_at_ms === null);
    for (const { run_no, seen_intent } of before._service_runs ?? []) {
      const known = open(run_no).filter(({ id }) => (id as number) <= (seen_intent as number));
      const seen = (after._service_inbox ?? []).filter((row) => row.run_no === run_no && row.seen === 1);
      expect(seen.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
    }
    expect(after._service_inbox?.some(({ seen }) => seen === 1)).toBe(true);
    for (const { run_no, pending_intents } of after._service_resume_failures ?? [])
      expect(pending_intents).toBe(open(run_no).length);
  });

  it("says of each frame whose snapshot it shows", () => {
    const path = version10();
    openStore(path, filledSchemas).prepare();
    const frames = allRows(path)._service_frames ?? [];
    for (const { run_no, frame_no, snapshot_frame_no } of frames) {
      const own = frames.filter((row) => row.run_no === run_no && row.encoding !== null);
      const upTo = own.map((row) => row.frame_no as number).filter((no) => no <= (frame_no as number));
      expect(snapshot_frame_no).toBe(Math.max(...upTo));
    }
    expect(frames.some((row) => row.snapshot_frame_no !== row.frame_no)).toBe(true);
  });

  it("says in columns what each node waits for, and which entries end with their run", () => {
    const path = version10();
    openStore(path, filledSchemas).prepare();
    const { _service_nodes: nodes = [], _service_inbox: inbox = [] } = allRows(path);
    const event = (wait: unknown) => (typeof wait === "string" ? JSON.parse(wait).event : undefined) ?? null;
    expect(nodes.map((row) => row.awaited_event)).toEqual(nodes.map((row) => event(row.wait_json)));
    expect(nodes.some((row) => row.awaited_event !== null)).toBe(true);
    expect(inbox.filter((row) => row.ends_with_run === 1).map((row) => row.kind)).toEqual(["hijack"]);
  });
});

describe("a run that was suspended under version 10 continues:", () => {
  it.each(PARKED)("%s", async (name) => {
    const scene = openScene(parkedSchemas, { dbPath: version10() });
    await expectToContinue(scene, name);
  });
});

describe("a run that is suspended now continues:", () => {
  it.each(["approval", "hijack"])("%s", async (name) => {
    const dbPath = databasePath();
    const first = openScene(parkedSchemas, { dbPath });
    await parkedRuns(first, true)
      .find((each) => each.name === name)
      ?.park();
    await expectToContinue(openScene(parkedSchemas, { dbPath }), name);
  });
});
