import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import fixTests from "../../examples/12-fix-failing-tests.js";
import lintAndFix from "../../examples/13-lint-and-fix.js";
import panelVote from "../../examples/14-panel-vote.js";
import runbook from "../../examples/15-runbook.js";
import { folderWith } from "./support/folder.js";

describe("12-fix-failing-tests", () => {
  it("repairs one mistake per round until the real tests pass", async () => {
    const rootDir = folderWith({});
    const run = testWorkflow(fixTests, { options: { rootDir } });
    expect(await run.run()).toMatchObject({
      status: "finished",
      output: { failedBefore: 3, failsNow: 0, changes: expect.objectContaining({ length: 3 }) },
    });
    const reviews = (await run.tasks()).filter(({ nodeId }) => nodeId === "repair-review");
    expect(reviews.map(({ output }) => output?.failing)).toEqual([
      ["punctuation goes", "the third of one name gets a 3"],
      ["the third of one name gets a 3"],
      [],
    ]);
    expect(readFileSync(join(rootDir, "repaired", "slug.mjs"), "utf8")).toContain("replaceAll");
    const tools = (await run.events()).filter(({ event }) => event.type === "ToolCallFinished");
    expect(tools.map(({ event }) => (event as { toolName?: string }).toolName)).toEqual([
      ...["read", "write", "read", "write", "read", "write"],
    ]);
  });
});

describe("13-lint-and-fix", () => {
  it("fixes file by file, and again what the first fixes bring up", async () => {
    const rootDir = folderWith({});
    const run = testWorkflow(lintAndFix, { options: { rootDir } });
    expect((await run.run()).output).toEqual({ rounds: 2, fixed: 7, left: 0 });
    expect(readFileSync(join(rootDir, "untidy", "find.mjs"), "utf8")).toContain(
      "for (const one of list) if (one.id === id) return one;",
    );
    const fixes = (await run.tasks()).filter(({ nodeId }) => nodeId.startsWith("tidy-fix-"));
    expect(fixes.map(({ output }) => output?.file).sort()).toEqual([
      ...["untidy/find.mjs", "untidy/find.mjs", "untidy/prices.mjs", "untidy/prices.mjs"],
    ]);
  });

  it("has nothing to fix in a clean folder", async () => {
    const rootDir = folderWith({ "mine/a.mjs": "export const a = 1;\n" });
    const run = testWorkflow(lintAndFix, { input: { root: "mine" }, options: { rootDir } });
    expect((await run.run()).output).toEqual({ rounds: 1, fixed: 0, left: 0 });
  });
});

describe("14-panel-vote", () => {
  it("is decided by the count of real votes", async () => {
    const rootDir = folderWith({
      "lib/package.json": '{"license":"MIT"}',
      "lib/LICENSE": "MIT",
      "lib/README.md": "# lib",
      "lib/a.mjs": "export const a = 1;\n",
    });
    const run = testWorkflow(panelVote, { input: { root: "lib" }, options: { rootDir } });
    expect((await run.run()).output).toEqual({
      decision: "publish",
      text: 'publish: law and documentation for "publish", tests for "wait". There are no tests.',
      votes: { publish: 2, wait: 1 },
    });
  });

  it("goes against a folder with nothing but a program", async () => {
    const rootDir = folderWith({ "a.mjs": "export const a = 1;\n", "a.test.mjs": "" });
    const { output } = await testWorkflow(panelVote, { options: { rootDir } }).run();
    expect(output).toMatchObject({ decision: "wait", votes: { wait: 2, publish: 1 } });
  });
});

describe("15-runbook", () => {
  it("runs real commands, asks before the risky ones, and leaves out what is denied", async () => {
    const rootDir = folderWith({});
    const run = testWorkflow(runbook, { options: { rootDir } });
    expect((await run.run()).status).toBe("waiting-approval");
    expect(readdirSync(join(rootDir, "backups"))).toEqual(["new.tgz", "old-1.tgz", "old-2.tgz"]);
    expect((await run.approve("rotate-prune-approval", { decidedBy: "ada" })).status).toBe(
      "waiting-approval",
    );
    await run.deny("rotate-empty-approval", { decidedBy: "ada", note: "not before Monday" });
    expect(run.result).toMatchObject({
      status: "finished",
      output: {
        backups: ["new.tgz"],
        dataFiles: 2,
        steps: ["archive: new.tgz old-1.tgz old-2.tgz", "verify: 2", "prune: new.tgz"],
      },
    });
  });
});
