import { expect, it } from "vitest";
import { bundleScript, runScript, runUntilKilled } from "../store/support/bundled-process.js";
import { databasePath } from "../store/support/database.js";
import { memoryInTest } from "./support/store.js";

it("a process that is killed around the commit of a task leaves nothing in memory twice, and nothing out", async () => {
  const path = databasePath();
  const script = await bundleScript("../../memory/support/killed-task.ts");
  for (const point of ["before-commit:2", "attempt-completed", "after-commit:2"])
    await runUntilKilled(script, path, point);
  expect(await runScript(script, path)).toBe("finished");
  const { memory } = memoryInTest({ path });
  const said = (await memory.listMessages("t")).map(({ contentJson }) => JSON.parse(contentJson) as string);
  expect(said).toEqual(["Question one", '{"reply":"Answer one"}', "Question two", '{"reply":"Answer two"}']);
  const facts = await memory.listFacts("workflow:desk");
  expect(facts.map(({ key, valueJson }) => [key, valueJson])).toEqual([
    ["one", '{"reply":"Answer one"}'],
    ["two", '{"reply":"Answer two"}'],
  ]);
});
