import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { NEWEST_VERSION, versions } from "../../src/store/migrations/migrate.js";
import { VERSION_10 } from "../support/version-10.js";
import { takeBackToVersion10, writeOlderDatabase } from "./support/older-database.js";
import { CLI_MAIN, Workspace } from "./support/treadle.js";
import { FAILING } from "./support/workflows.js";

function older(): Workspace {
  const workspace = new Workspace();
  writeOlderDatabase(workspace.path("service.db"));
  return workspace;
}

function versionOf(workspace: Workspace): unknown {
  const db = new Database(workspace.path("service.db"), { readonly: true });
  const version = db.prepare("SELECT max(version) FROM _service_migrations").pluck().get();
  db.close();
  return version;
}

describe("a database of an older version", () => {
  it.each([
    "ps",
    "inbox",
    "why r",
    "inspect r",
    "events r",
    "logs r",
    "cron list",
    "supervise --dry-run",
    "prune --dry-run",
    "cancel r --dry-run",
  ])("is brought to this one by `treadle %s`, which then does its work", async (line) => {
    const workspace = older();
    const { stdout, stderr } = await workspace.treadle([...line.split(" "), "--json"]);
    expect(stdout + stderr).not.toContain("SERVICE_MIGRATION_REQUIRED");
    expect(versionOf(workspace)).toBe(NEWEST_VERSION);
  });

  it("keeps its runs, which are listed", async () => {
    const { code, document } = await older().json<{ runs: unknown[] }>(["ps"]);
    expect(code).toBe(0);
    expect(document.runs).toMatchObject([{ runId: "r", status: "failed" }]);
  });

  it("is only looked at by doctor, which says what is pending", async () => {
    const workspace = older();
    const { document } = await workspace.json<{ checks: { name: string }[] }>(["doctor"]);
    const names = versions.filter(({ version }) => version > VERSION_10);
    expect(document.checks.find(({ name }) => name === "database")).toMatchObject({
      status: "warning",
      message: expect.stringMatching(
        new RegExp(
          `version ${VERSION_10}; .*: ${names.map(({ version, name }) => `${version} ${name}`).join(", ")}$`,
        ),
      ),
    });
    expect(versionOf(workspace)).toBe(VERSION_10);
    expect(readdirSync(workspace.folder)).toEqual(readdirSync(older().folder));
  });

  it("leaves every byte of one of this version as it is under doctor", async () => {
    const workspace = older();
    await workspace.treadle(["ps"]);
    const bytes = () => readFileSync(workspace.path("service.db"));
    const before = bytes();
    await workspace.treadle(["doctor"]);
    expect(bytes().equals(before)).toBe(true);
  });

  it("has runs that continue", async () => {
    const once = FAILING.replace("throw", 'if (!existsSync("ready")) throw').replace(
      'fire");',
      'fire"); return { n: 2 };',
    );
    const workspace = new Workspace({ "once.tsx": `import { existsSync } from "node:fs";${once}` });
    await workspace.treadle(["up", "once.tsx", "--run-id", "again"]);
    workspace.write("ready", "");
    takeBackToVersion10(workspace.path("service.db"));
    const { code, document } = await workspace.json(["up", "--resume", "again"]);
    expect(document).toMatchObject({ runId: "again", status: "finished" });
    expect(code).toBe(0);
    expect(versionOf(workspace)).toBe(NEWEST_VERSION);
  });

  it("that may only be read is refused, with what is in the way and who can help", () => {
    const workspace = older();
    const path = workspace.path("service.db");
    const someone = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    if ("uid" in someone) for (const owned of [path, workspace.folder]) chownSync(owned, 65534, 65534);
    chmodSync(path, 0o444);
    const { stdout, status } = spawnSync(process.execPath, [CLI_MAIN, "ps", "--json"], {
      ...someone,
      cwd: workspace.folder,
      env: { PATH: process.env.PATH, HOME: workspace.folder },
      encoding: "utf8",
    });
    expect(status).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "SERVICE_MIGRATION_REQUIRED",
        message: expect.stringContaining("the file or its folder may not be written"),
        details: { version: VERSION_10, supported: NEWEST_VERSION },
      },
    });
    expect(versionOf(workspace)).toBe(VERSION_10);
  });
});
