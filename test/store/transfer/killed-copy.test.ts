import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyWorkspace } from "../../../src/operations/copy-workspace.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { createPostgresDatabase, query } from "../../support/postgres/database.js";
import { writeVersion10 } from "../../support/version-10.js";
import { databasePath } from "../support/database.js";

const TREADLE = fileURLToPath(new URL("../../../dist/src/cli/main.js", import.meta.url));

async function filledFile(): Promise<string> {
  const path = databasePath();
  writeVersion10(path);
  const store = openExisting(path);
  await store.prepare();
  await store.close();
  return path;
}

async function emptyServer(): Promise<string> {
  const { url, remove } = await createPostgresDatabase();
  onTestFinished(async () => void (await remove()));
  const store = new PostgresStore({ connectionString: url });
  await store.prepare();
  await store.close();
  return url;
}

/** Kills a copy with SIGKILL once it waits for a table that is locked; then the lock is gone. */
async function killAt({ url, lock }: { url: string; lock: string }, from: string, to: string): Promise<void> {
  const holder = new pg.Client(url);
  await holder.connect();
  let copy: ChildProcess | undefined;
  try {
    await holder.query(`BEGIN; LOCK TABLE ${lock}`);
    copy = spawn(process.execPath, [TREADLE, "db", "copy", from, to], { stdio: "ignore" });
    const waiting = `SELECT count(*)::int FROM pg_locks
      WHERE NOT granted AND relation = '${lock.split(" ")[0]}'::regclass`;
    while ((await holder.query({ text: waiting, rowMode: "array" })).rows[0]?.[0] === 0) {
      expect(copy.exitCode).toBeNull();
      await pause(20);
    }
  } finally {
    if (copy?.exitCode === null) {
      copy.kill("SIGKILL");
      await once(copy, "exit");
    }
    await holder.end();
  }
}

describe("a copy that is killed on the way", () => {
  it("leaves a server without a row, ready for the next", async () => {
    const [from, url] = [await filledFile(), await emptyServer()];
    // Writers wait, readers do not: the copy has written rows of tables before this one.
    await killAt({ url, lock: "_service_events IN SHARE MODE" }, from, url);
    expect(await query(url, "SELECT count(*)::int FROM _service_runs")).toEqual([[0]]);
    expect((await copyWorkspace({ from, to: url })).some(({ rows }) => rows > 0)).toBe(true);
  });

  it("leaves no file in the place of its target", async () => {
    const url = await emptyServer();
    await copyWorkspace({ from: await filledFile(), to: url });
    const to = databasePath();
    await killAt({ url, lock: "_service_memory_words IN ACCESS EXCLUSIVE MODE" }, url, to);
    expect(existsSync(to)).toBe(false);
    await copyWorkspace({ from: url, to });
    expect(existsSync(to)).toBe(true);
  });
});
