import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import { draft, newRun, node, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A file system of a size, in a folder of its own; undefined where this user may not mount one. */
function smallDisk(options: string): { folder: string; resize(options: string): void } | undefined {
  const folder = temporaryFolder();
  const mount = (settings: string) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", settings, "tmpfs", folder], { stdio: "pipe" });
  try {
    mount(options);
  } catch {
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", folder]);
  });
  return { folder, resize: (settings) => mount(`remount,${settings}`) };
}

function thrownBy(act: () => unknown): ServiceError {
  try {
    act();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("Nothing was thrown.");
}

describe("a full disk", () => {
  it("fails the commit as a whole with DB_WRITE_FAILED, and names the cause", () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.createRun(newRun());
    const { db } = store.connection.use();
    const pages = db.pragma("page_count", { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    const before = store.loadRun("run-1");
    const large = step({
      run: { frameNo: 1 },
      nodes: [node("a")],
      outputs: [draft(store, "a", { text: "x".repeat(100_000), words: 1 })],
    });
    let error: ServiceError | undefined;
    try {
      store.commit(large);
    } catch (thrown) {
      error = thrown as ServiceError;
    }
    expect(error?.code).toBe("DB_WRITE_FAILED");
    expect(error?.message).toMatch(/disk.* is full; free some space/);
    expect(error?.details).toEqual({ path, sqliteCode: "SQLITE_FULL" });
    expect(store.loadRun("run-1")).toEqual(before);

    db.pragma(`max_page_count = ${pages + 1000}`);
    store.commit(large);
    expect(store.loadRun("run-1")).toMatchObject({ run: { frameNo: 1 }, nodes: [{ nodeId: "a" }] });
  });

  it("creates no run, and does once there is room", () => {
    const path = databasePath();
    const store = openStore(path, schemas);
    store.prepare();
    const { db } = store.connection.use();
    const pages = db.pragma("page_count", { simple: true }) as number;
    db.pragma(`max_page_count = ${pages}`);
    const run = { ...newRun(), input: { topic: "x".repeat(1_000_000) } };
    const error = thrownBy(() => store.createRun(run));
    expect(error).toMatchObject({ code: "DB_WRITE_FAILED", details: { path, sqliteCode: "SQLITE_FULL" } });
    expect(error.message).toMatch(/disk.* is full; free some space/);
    expect(store.getRun("run-1")).toBeUndefined();
    expect(store.listRuns({ limit: 10 })).toEqual([]);
    db.pragma(`max_page_count = ${pages + 1000}`);
    store.createRun(run);
    expect(store.getInput("run-1")).toMatchObject(run.input);
  });

  // From no room for the first page to none for the rows of a run.
  it.for([0, 1, 4, 16, 40, 75])("makes no half of a database where %i pages are left", (pages, { skip }) => {
    const disk = smallDisk("size=512k");
    if (disk === undefined) return skip();
    const path = join(disk.folder, "service.db");
    const filler = join(disk.folder, "filler");
    writeFileSync(filler, Buffer.alloc((128 - pages) * 4_096));
    const error = thrownBy(() => {
      const store = openStore(path, schemas);
      store.createRun({ ...newRun(), input: { topic: "x".repeat(200_000) } });
    });
    expect(error.code).toMatch(/^(STORAGE_ERROR|DB_WRITE_FAILED)$/);
    expect(error.summary).toContain(path);
    expect(error.summary).toMatch(/disk.* is full; free some space/);

    disk.resize("size=4m");
    const again = openStore(path, schemas);
    expect(again.listRuns({ limit: 10 })).toEqual([]);
    again.createRun(newRun());
    expect(again.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it("says so where there is no room for another file", ({ skip }) => {
    // One for the folder itself.
    const disk = smallDisk("size=1m,nr_inodes=1");
    if (disk === undefined) return skip();
    const path = join(disk.folder, "service.db");
    const error = thrownBy(() => openStore(path, schemas).prepare());
    expect(error).toMatchObject({ code: "STORAGE_ERROR", details: { path, errno: "ENOSPC" } });
    expect(error.summary).toContain("free some space");
  });
});
