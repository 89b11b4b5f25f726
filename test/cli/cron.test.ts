import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

/** A workspace that has a database. */
async function workspace() {
  const place = new Workspace({ "hello.tsx": HELLO });
  await place.treadle(["up", "hello.tsx", "--run-id", "h"]);
  const call = (...argv: string[]) => callIn(place.folder, ["cron", ...argv]);
  const json = async (...argv: string[]) => JSON.parse((await call(...argv, "--json")).stdout);
  return { call, json, path: join(place.folder, "service.db") };
}

describe("cron", () => {
  it("makes, lists, changes and deletes schedules of the workspace", async () => {
    const { call, json } = await workspace();
    const made = await json("create", "report", "30 9 * * 1-5", "--id", "days", "--time-zone", "Asia/Tokyo");
    expect(made).toMatchObject({
      cronId: "days",
      workflowKey: "report",
      timeZone: "Asia/Tokyo",
      overlap: "skip",
      enabled: true,
    });
    expect(made.nextFiresAtMs).toHaveLength(5);
    expect(new Date(made.nextFiresAtMs[0]).toISOString()).toMatch(/T00:30:00.000Z$/);
    const list = await call("list");
    expect(list.stdout).toMatch(/days +report +30 9 \* \* 1-5 +Asia\/Tokyo +skip +skip +\d{4}-/);
    expect((await json("update", "days", "--disable", "--overlap", "queue")).enabled).toBe(false);
    expect((await call("list")).stdout).toContain("off");
    expect(await json("update", "days", "--enable", "--input", '{"n":1}')).toMatchObject({
      enabled: true,
      overlap: "queue",
      input: { n: 1 },
    });
    expect(await json("delete", "days", "--yes")).toEqual({ cronId: "days", removed: true });
    expect((await call("list")).stdout).toContain("There are no schedules.");
  });

  it("names a schedule that cannot be read beside those that can", async () => {
    const { call, json, path } = await workspace();
    await json("create", "report", "@daily", "--id", "good");
    await json("create", "report", "@daily", "--id", "bad");
    const db = new Database(path);
    db.exec("UPDATE _service_schedules SET overlap = 'sometimes' WHERE cron_id = 'bad'");
    db.close();
    const list = await json("list");
    expect(list.schedules).toMatchObject([{ cronId: "good" }]);
    expect(list.damaged).toMatchObject([{ cronId: "bad", damage: { code: "STORAGE_ERROR" } }]);
    const { stdout } = await call("list");
    expect(stdout).toMatch(/good +report/);
    expect(stdout).toMatch(/✗ bad cannot be read: .*overlap/);
  });

  it("asks for a run, which waits for a gateway, and tells what came of it", async () => {
    const { call, json } = await workspace();
    await json("create", "report", "@daily", "--id", "c", "--disabled");
    const asked = await call("run", "c");
    expect(asked.stdout).toMatch(/^cron:c:\S+\n$/);
    expect(asked.stderr).toMatch(/run cron:c:\S+ is asked for; a gateway that has the workflow starts it/);
    expect((await call("run", "c")).stderr).toContain("skipped-overlap: The run before it had not ended.");
    const { history } = await json("history", "c");
    expect(history).toMatchObject([
      { state: "skipped-overlap", trigger: "manual" },
      { state: "pending", trigger: "manual" },
    ]);
    expect((await call("history", "c")).stdout).toContain("pending (asked for)");
  });

  it.each([
    [["create", "report", "61 * * * *"], "pattern"],
    [["create", "report", "@daily", "--time-zone", "Mars/Base"], "timeZone"],
    [["create", "report", "@daily", "--overlap", "never"], "--overlap"],
    [["update", "none", "--enable"], "none"],
    [["update", "none", "--enable", "--disable"], "exclude each other"],
    [["history", "none"], "none"],
    [["run", "none"], "none"],
    [["delete", "none", "--yes"], "none"],
  ])("%j is refused and says what is wrong", async (argv, text) => {
    const { call } = await workspace();
    const { code, stderr } = await call(...argv);
    expect(code).toBe(4);
    expect(stderr).toContain(text);
  });
});
