import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newOwnerId } from "../../../src/process/owner.js";
import { lockFolder } from "../../../src/store/pglite/data-lock.js";
import { PgliteStore } from "../../../src/store/pglite/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { draft, firstLease, newRun, schemas, step } from "../../conformance/store/fixtures.js";
import { initializePglite } from "../../support/pglite/initialized-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const tables = () => deriveTables(schemas);

it("a folder of PGlite keeps runs for the next process", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const first = new PgliteStore(dataDir, tables());
  await first.createRun(newRun());
  await first.commit(step({ outputs: [draft(first, "a", { text: "\0 and \u00010", words: 2 })] }));
  expect(await first.releaseLease(firstLease)).toBe(true);
  await first.close();

  const second = new PgliteStore(dataDir, tables());
  expect(await second.getOutput("run-1", "draft", "a", 0)).toEqual({ text: "\0 and \u00010", words: 2 });
  await second.close();
});

it("PGlite that has crashed is started again, with what was committed", async () => {
  const dataDir = await initializePglite(join(temporaryFolder(), "data"));
  const store = new PgliteStore(dataDir, tables());
  onTestFinished(() => store.close());
  await store.createRun(newRun());
  const news = vi.fn();
  store.connection.onNews(news);
  await store.connection.changeToken();
  // What no checkpoint can do without: it ends the instance as a full disk does.
  renameSync(join(dataDir, "pg_logical"), join(dataDir, "away"));
  await expect(store.connection.query("CHECKPOINT", [])).rejects.toMatchObject({ code: "DB_QUERY_FAILED" });
  renameSync(join(dataDir, "away"), join(dataDir, "pg_logical"));
  news.mockClear();
  await store.commit(step({ run: { frameNo: 7 } }));
  expect((await store.getRun("run-1"))?.frameNo).toBe(7);
  await expect.poll(() => news).toHaveBeenCalled();
});

it("PGlite that cannot be started says which folder it is, and leaves it to the next who tries", async () => {
  const dataDir = join(temporaryFolder(), "data");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "PG_VERSION"), "9\n");
  for (let tries = 0; tries < 2; tries += 1) {
    const opening = Promise.resolve(new PgliteStore(dataDir, tables()).prepare());
    await expect(opening).rejects.toMatchObject({ code: "STORAGE_ERROR", details: { path: dataDir } });
  }
});

describe("a folder of PGlite", () => {
  /** The owner of a lock is a link's text. */
  const ownedBy = (pid: number | undefined, owner = newOwnerId()) => {
    const dataDir = join(temporaryFolder(), "data");
    symlinkSync(owner.replace(`/${process.pid}/`, `/${pid}/`), `${dataDir}.owner`);
    return dataDir;
  };

  it("that a process has open is refused, and the owner is named", async () => {
    const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    onTestFinished(() => void holder.kill());
    const [host, , random, identity] = newOwnerId().split("/");
    const started = readFileSync(`/proc/${holder.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
    const space = identity?.slice(0, identity.lastIndexOf("."));
    const owner = [host, holder.pid, random, `${space}.${started}`].join("/");
    const refused = new PgliteStore(ownedBy(undefined, owner), tables());
    const opening = Promise.resolve(refused.prepare());
    await expect(opening).rejects.toMatchObject({ code: "DB_BUSY", details: { owner } });
    await expect(opening).rejects.toThrow(`process ${holder.pid} of ${host}`);
  });

  it("is free once its owner is dead, also where another process has its number", async () => {
    const unlock = await lockFolder(ownedBy(process.ppid));
    await unlock();
  });

  it("has one owner where many find the last one dead", async () => {
    const dataDir = ownedBy(999_999_999);
    const found = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(dataDir)));
    const taken = found.filter(({ status }) => status === "fulfilled");
    expect(taken).toHaveLength(1);
  });
});
