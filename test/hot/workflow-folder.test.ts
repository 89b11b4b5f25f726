import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { resolveHotOptions } from "../../src/hot/options.js";
import { WorkflowFolder } from "../../src/hot/workflow-folder.js";
import { systemClock } from "../../src/util/clock.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("a folder that cannot be read for a while keeps the files that it had, and shows what it has afterwards", async () => {
  const root = temporaryFolder("workflows");
  const [first, second] = ["first", "second"].map((name) => ({ name, path: join(root, `${name}.tsx`) }));
  if (first === undefined || second === undefined) throw new Error("two files");
  for (const { path } of [first, second]) writeFileSync(path, "export const nothing = 1;\n");
  let looks = 0;
  let list = () => [first];
  const options = { ...resolveHotOptions(true, root), clock: systemClock, list: () => list() };
  const folder = await WorkflowFolder.open(options);
  onTestFinished(() => folder.close());
  const keys = () => folder.entries().map(({ key }) => key);
  list = () => {
    looks += 1;
    throw Object.assign(new Error("EACCES: permission denied, scandir"), { code: "EACCES" });
  };
  await expect.poll(() => looks).toBeGreaterThan(1);
  expect(keys()).toEqual(["first"]);
  list = () => [first, second];
  await expect.poll(keys).toEqual(["first", "second"]);
});
