import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import fixTests from "../../examples/12-fix-failing-tests.js";
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
