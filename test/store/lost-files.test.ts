import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as housekeeping } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { codeOf, events, newRun, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { quietExisting } from "../support/quiet-store.js";

const started = (path: string) => {
  const store = openStore(path, schemas);
  store.createRun(newRun());
  store.commit(step({ events: events(0, { type: "RunFinished" }) }));
  return store;
};

describe("files of a database that is in use", () => {
  it.each<[string, (path: string) => void]>([
    ["the database is deleted", (path) => rmSync(path)],
    ["the database is renamed", (path) => renameSync(path, `${path}.bak`)],
    ["the log is deleted", (path) => rmSync(`${path}-wal`)],
    ["the folder is deleted", (path) => rmSync(dirname(path), { recursive: true })],
    ["the folder is renamed", (path) => renameSync(dirname(path), `${dirname(path)}-old`)],
    [
      "the database is replaced",
      (path) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
  ])("are missed by the next commit: %s", async (_what, harm) => {
    const path = join(temporaryFolder(), "inner", "service.db");
    mkdirSync(dirname(path));
    const store = started(path);
    harm(path);
    expect(await codeOf(() => store.commit(step({ run: { status: "finished" } })))).toBe("DB_LOST");
    expect(await codeOf(() => store.heartbeat(step().lease, 1))).toBe("DB_LOST");
  });

  it("are not missed where there are none", () => {
    const store = started(":memory:");
    store.commit(step({ run: { status: "finished", release: true } }));
    expect(store.getRun("run-1")?.status).toBe("finished");
  });
});

/** A run that was started there, with the mark that is written once its caller has gone on. */
async function marked(path: string) {
  const store = started(path);
  await housekeeping();
  return store;
}

describe("a link in the place of the mark", () => {
  it.each([
    ["symbolic", symlinkSync],
    ["hard", linkSync],
  ])("is not written through: %s", async (_kind, link) => {
    const path = databasePath();
    const outside = join(temporaryFolder(), "outside");
    writeFileSync(outside, "of somebody else");
    const store = openStore(path, schemas);
    store.createRun(newRun());
    rmSync(`${path}-mark`, { force: true });
    link(outside, `${path}-mark`);
    store.commit(step({ events: events(0, { type: "RunFinished" }) }));
    await housekeeping();
    expect(readFileSync(outside, "utf8")).toBe("of somebody else");
  });
});

/** What a killed process leaves behind: its files as they are, without a goodbye. */
function leftBehind(path: string, files: readonly string[]): string {
  const copy = join(temporaryFolder(), "service.db");
  for (const suffix of files) copyFileSync(path + suffix, copy + suffix);
  return copy;
}

function reading(path: string) {
  const store = quietExisting(path, { readOnly: true });
  onTestFinished(() => store.close());
  return store;
}

describe("the log of a process that was killed", () => {
  it("brings its commits back", async () => {
    const path = databasePath();
    await marked(path);
    expect(openStore(leftBehind(path, ["", "-wal", "-mark"]), schemas).getRun("run-1")?.nextSeq).toBe(1);
  });

  it("is missed when it is gone, with what to do", async () => {
    const path = databasePath();
    await marked(path);
    const copy = leftBehind(path, ["", "-mark"]);
    expect(await codeOf(() => openStore(copy, schemas).prepare())).toBe("DB_LOST");
    expect(() => quietExisting(copy).prepare()).toThrow(`delete ${copy}-mark`);
    rmSync(`${copy}-mark`);
    openStore(copy, schemas).prepare();
  });

  it("is missed by who only reads, though the database holds nothing", async () => {
    const path = databasePath();
    await marked(path);
    const copy = leftBehind(path, ["", "-mark"]);
    expect(await codeOf(() => reading(copy).prepare())).toBe("DB_LOST");
  });

  it("is missed by who only reads when the database holds an older run", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun({ runId: "run-0" }));
    store.connection.use().db.pragma("wal_checkpoint(TRUNCATE)");
    store.createRun(newRun());
    store.commit(step({ events: events(0, { type: "RunFinished" }) }));
    await housekeeping();
    const copy = leftBehind(path, ["", "-mark"]);
    expect(await codeOf(() => reading(copy).prepare())).toBe("DB_LOST");
  });

  it("is missed as well when the database knew some of the run", async () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    store.connection.use().db.pragma("wal_checkpoint(TRUNCATE)");
    store.commit(step({ events: events(0, { type: "RunFinished" }) }));
    await housekeeping();
    const copy = leftBehind(path, ["", "-mark"]);
    expect(await codeOf(() => openStore(copy, schemas).prepare())).toBe("DB_LOST");
  });

  it("is missed when only its tail is gone, a second after the last commit at the latest", async () => {
    const path = databasePath();
    const store = await marked(path);
    const first = readFileSync(`${path}-mark`, "utf8");
    const { size } = statSync(`${path}-wal`);
    store.commit(step({ events: events(1, { type: "RunFinished" }) }));
    // A commit without a mark is not known yet.
    const early = leftBehind(path, ["", "-wal", "-mark"]);
    truncateSync(`${early}-wal`, size);
    expect(openStore(early, schemas).getRun("run-1")?.nextSeq).toBe(1);
    await vi.waitFor(() => expect(readFileSync(`${path}-mark`, "utf8")).not.toBe(first), 100_000);
    const late = leftBehind(path, ["", "-wal", "-mark"]);
    truncateSync(`${late}-wal`, size);
    expect(await codeOf(() => openStore(late, schemas).prepare())).toBe("DB_LOST");
  });

  it("is not missed when everything is in the database, as after a look with another tool", async () => {
    const path = databasePath();
    (await marked(path)).connection.use().db.pragma("wal_checkpoint(TRUNCATE)");
    openStore(leftBehind(path, ["", "-mark"]), schemas).prepare();
  });

  it("is not missed when its run was deleted since", async () => {
    const path = databasePath();
    const store = await marked(path);
    store.commit(step({ run: { status: "finished", release: true } }));
    store.deleteRuns(["run-1"]);
    store.connection.use().db.pragma("wal_checkpoint(TRUNCATE)");
    openStore(leftBehind(path, ["", "-mark"]), schemas).prepare();
  });

  it("is not missed in a new database at the path of an old one", async () => {
    const path = databasePath();
    await marked(path);
    const fresh = databasePath();
    copyFileSync(`${path}-mark`, `${fresh}-mark`);
    openStore(fresh, schemas).prepare();
    expect(existsSync(`${fresh}-mark`)).toBe(false);
  });

  it.each([
    ["a run that there never was", { runNo: 99 }],
    ["an owner that there never was", { epoch: 99 }],
    ["events that were never written", { nextSeq: 99 }],
  ])("is not missed because somebody else has written into the mark of %s", async (_what, forged) => {
    const path = databasePath();
    await marked(path);
    const copy = leftBehind(path, ["", "-wal", "-mark"]);
    const mark = JSON.parse(readFileSync(`${copy}-mark`, "utf8")) as Record<string, unknown>;
    writeFileSync(`${copy}-mark`, JSON.stringify({ ...mark, ...forged }));
    reading(copy).prepare();
    expect(openStore(copy, schemas).getRun("run-1")?.nextSeq).toBe(1);
    expect(existsSync(`${copy}-mark`)).toBe(false);
  });

  it("is missed in a database of the former version once it was opened by this one", async () => {
    const path = databasePath();
    openStore(path, schemas).close();
    const older = new Database(path);
    older.pragma("application_id = 0");
    older.close();
    (await marked(path)).connection.use().db.pragma("wal_checkpoint(TRUNCATE)");
    const store = openStore(path, schemas);
    store.commit(step({ events: events(1, { type: "RunFinished" }) }));
    await housekeeping();
    expect(await codeOf(() => reading(leftBehind(path, ["", "-mark"])).prepare())).toBe("DB_LOST");
  });

  it("is not missed in a new database by who only reads and leaves the other's mark alone", async () => {
    const [path, fresh] = [databasePath(), databasePath()];
    await marked(path);
    started(fresh);
    copyFileSync(`${path}-mark`, `${fresh}-mark`);
    reading(fresh).prepare();
    expect(existsSync(`${fresh}-mark`)).toBe(true);
  });

  it("leaves no mark that was still to be written when the database was closed", async () => {
    const path = databasePath();
    started(path).close();
    await housekeeping();
    expect(existsSync(`${path}-mark`)).toBe(false);
  });

  it("leaves no mark when the database was closed", async () => {
    const path = databasePath();
    const store = await marked(path);
    expect(existsSync(`${path}-mark`)).toBe(true);
    store.close();
    expect(existsSync(`${path}-mark`)).toBe(false);
  });
});
