import { expect, it } from "vitest";
import { bundleScript, runScript } from "../store/support/bundled-process.js";
import { databasePath } from "../store/support/database.js";
import { memoryInTest } from "./support/store.js";

it("processes that write one namespace and one thread at once lose nothing", async () => {
  const path = databasePath();
  const { memory } = memoryInTest({ path });
  const { threadId } = await memory.createThread("workflow:shared");
  const script = await bundleScript("../../memory/support/writer.ts");
  const names = ["p0", "p1"];
  await Promise.all(names.map((name) => runScript(script, path, name, "40", threadId)));
  const keys = (await memory.listFacts("workflow:shared")).map(({ key }) => key);
  expect(keys).toHaveLength(81);
  for (const name of names) {
    const own = (await memory.listMessages(threadId)).filter(({ role }) => role === name);
    expect(own.map(({ contentJson }) => Number(contentJson))).toEqual(
      Array.from({ length: 40 }, (_, n) => n),
    );
    const found = await memory.recall({ namespace: "workflow:shared", query: name, topK: 50 });
    expect(found.length).toBeGreaterThanOrEqual(40);
  }
});
