import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as housekeeping } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { trustWorkspace } from "../../src/operations/trust-workspace.js";
import { openExisting } from "../../src/store/open-existing.js";
import { codeOf, events, newRun, schemas, step } from "../conformance/store/fixtures.js";
import { openStore } from "../store/support/database.js";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-trust-"));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
  mkdirSync(join(root, "work"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** A workspace with a database that is in order. */
function workspace(): string {
  const path = join(root, "work", "service.db");
  const store = openStore(path, schemas);
  store.createRun(newRun());
  store.close();
  return path;
}

async function refusalOf(path: string): Promise<unknown> {
  return codeOf(() => {
    const store = openExisting(path);
    onTestFinished(() => store.close());
    store.getRun("run-1");
  });
}

/** Only root can give files away. */
const isRoot = process.getuid?.() === 0;

describe.skipIf(process.getuid === undefined)("a database that somebody else could have written", () => {
  it.each<[string, (path: string) => void]>([
    ["the file can be written by everybody", (path) => chmodSync(path, 0o606)],
    ["the file can be written by a group", (path) => chownOrSkip(path, { gid: 1 }, 0o660)],
    ["the folder can be written by everybody", (path) => chmodSync(join(path, ".."), 0o777)],
    ["a folder above can be written by everybody", () => chmodSync(root, 0o777)],
    ["the file is a link", (path) => replaceByLink(path)],
    ["its log is a link", (path) => symlinkSync(join(root, "elsewhere"), `${path}-wal`)],
    ["its journal is a link", (path) => symlinkSync(join(root, "elsewhere"), `${path}-journal`)],
    ["its journal can be written by everybody", (path) => writeAs(`${path}-journal`, 0o606)],
    ["the file belongs to another user", (path) => chownOrSkip(path, { uid: 12_345 })],
    ["the folder belongs to another user", (path) => chownOrSkip(join(path, ".."), { uid: 12_345 })],
  ])("is not opened, whoever asks: %s", async (_what, harm) => {
    const path = workspace();
    harm(path);
    expect(await refusalOf(path)).toBe("WORKSPACE_NOT_TRUSTED");
    expect(await codeOf(() => openStore(path, schemas).prepare())).toBe("WORKSPACE_NOT_TRUSTED");
  });

  function replaceByLink(path: string): void {
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
  }

  function chownOrSkip(path: string, { uid, gid }: { uid?: number; gid?: number }, mode?: number): void {
    // As another user than root the same refusal is shown by permissions alone.
    if (!isRoot) return chmodSync(path, 0o777);
    chownSync(path, uid ?? 0, gid ?? 0);
    if (mode !== undefined) chmodSync(path, mode);
  }

  it("is opened once the user trusts it, or a folder above it; a folder beside it does not help", async () => {
    const path = workspace();
    chmodSync(join(root, "work"), 0o777);
    mkdirSync(join(root, "work-2"));
    trustWorkspace(join(root, "work-2"));
    expect(await refusalOf(path)).toBe("WORKSPACE_NOT_TRUSTED");
    const { file } = trustWorkspace(join(root, "work"));
    expect(await refusalOf(path)).toBeUndefined();
    // A list of trust that others could have written says nothing.
    chmodSync(file, 0o666);
    expect(await refusalOf(path)).toBe("WORKSPACE_NOT_TRUSTED");
  });

  it.each<[string, (file: string) => void]>([
    ["others can write it", (file) => writeAs(file, 0o666)],
    [
      "it is a link",
      (file) => {
        writeAs(`${file}.real`, 0o600);
        symlinkSync(`${file}.real`, file);
      },
    ],
    [
      "it is another file of the same user",
      (file) => {
        writeAs(`${file}.other`, 0o600);
        linkSync(`${file}.other`, file);
      },
    ],
    [
      "others can write its folder",
      (file) => {
        writeAs(file, 0o600);
        chmodSync(join(file, ".."), 0o777);
      },
    ],
    ["others can write the folder above, and it is not there yet", (file) => openConfiguration(file)],
    ["its folder is a file", (file) => writeAs(join(file, ".."), 0o600)],
  ])("is not said to be trusted where the list of trust does not count: %s", async (_what, harm) => {
    const path = workspace();
    chmodSync(join(root, "work"), 0o777);
    harm(join(root, "config", "treadle", "trusted.json"));
    expect(await codeOf(() => trustWorkspace(path))).toBe("STORAGE_ERROR");
    expect(await refusalOf(path)).toBe("WORKSPACE_NOT_TRUSTED");
  });

  function openConfiguration(file: string): void {
    mkdirSync(join(file, "../.."));
    chmodSync(join(file, "../.."), 0o777);
  }

  function writeAs(file: string, mode: number): void {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "[]");
    chmodSync(file, mode);
  }

  it("is opened in a sticky folder, where others cannot touch it", async () => {
    const path = workspace();
    chmodSync(root, 0o1777);
    expect(await refusalOf(path)).toBeUndefined();
  });

  it("cannot be slipped in: no other user can read or write the files made here", async () => {
    const path = workspace();
    const store = openStore(path, schemas);
    store.commit(step({ events: events(0, { type: "RunFinished" }) }));
    await housekeeping();
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-mark`]) {
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    }
  });
});

describe("an SQLite file of another application", () => {
  it("gets none of our tables", async () => {
    const path = join(root, "work", "service.db");
    const other = new Database(path);
    other.exec("CREATE TABLE accounts (id TEXT)");
    other.close();
    const before = readFileSync(path);
    expect(await codeOf(() => openStore(path, schemas).createRun(newRun()))).toBe("DB_FOREIGN");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is distinguished from an empty file, which gets them", () => {
    const path = join(root, "work", "service.db");
    writeFileSync(path, "");
    openStore(path, schemas).createRun(newRun());
  });
});

it("what prune deletes is in none of the database's files any more", () => {
  const path = join(root, "work", "service.db");
  const store = openStore(path, schemas);
  const secret = "a secret that nobody may find again";
  store.createRun(newRun({ input: { topic: secret.repeat(50) } }));
  store.createRun(newRun({ runId: "run-2" }));
  store.commit(step({ run: { status: "finished", release: true } }));
  const found = () => [path, `${path}-wal`].some((file) => readFileSync(file).includes(secret));
  expect(found()).toBe(true);
  store.deleteRuns(["run-1"]);
  expect(found()).toBe(false);
});
