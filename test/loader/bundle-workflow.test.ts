import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function folderWith(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder("bundle");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const bundle = async (name: string) => {
    const { hash } = await bundleWorkflow({
      entry: join(cwd, name),
      outfile: join(cwd, `${name}.mjs`),
      cwd,
      resolveOwn: (own) => own,
    });
    return hash;
  };
  return bundle;
}

describe("several workflow files", () => {
  it("are compiled at the same time, one that is done or broken stopping no other", async () => {
    const numbers = Array.from({ length: 400 }, (_, index) => `export const n${index}: number = ${index};`);
    const bundle = folderWith({
      "small.ts": "export default 1;",
      "broken.ts": "export default (;",
      "large.ts": `${numbers.join("\n")}\nexport default 2;`,
      "other.ts": "export default 3;",
    });
    const files = ["small.ts", "broken.ts", "large.ts", "other.ts"];
    const ends = await Promise.allSettled(files.map(bundle));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    await expect(bundle("small.ts")).resolves.toMatch(/^[0-9a-f]+$/);
  });
});
