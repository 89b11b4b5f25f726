import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toFunctionModule } from "../../src/hot/function-module.js";
import { runFunctionModule } from "../../src/hot/import-generation.js";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const MARK = "outside-1:";

/** The exports of these files, as a function has made them; undefined when only a module can. */
async function exportsOf(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder("function");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { code } = await bundleWorkflow({
    entry: join(folder, "main.ts"),
    outfile: join(folder, "out.js"),
    cwd: folder,
    resolveOwn: (name) => name,
    externalMark: MARK,
  });
  const text = toFunctionModule(code, MARK);
  if (text === undefined) return undefined;
  expect(text.split("\n").length).toBeGreaterThanOrEqual(code.trimEnd().split("\n").length);
  const file = join(folder, "gen.cjs");
  writeFileSync(file, text);
  return runFunctionModule(file);
}

describe("a bundle as a function", () => {
  it("imports by name, by default, as a whole, for its effects and while it runs", async () => {
    const main = `import { join, sep as mark } from "node:path";
import whole, { basename } from "node:path";
import * as path from "node:path";
import "node:fs";
import { z } from "zod";
export default [join("a", "b"), mark, whole.sep, basename("/x/y"), path.sep, typeof z.object];
export const later = async () => (await import("node:os")).EOL;
export { join };
export * from "node:url";
`;
    const module = await exportsOf({ "main.ts": main });
    expect(module?.["default"]).toEqual(["a/b", "/", "/", "y", "/", "function"]);
    const { later } = module as { later: () => Promise<string> };
    expect(await later()).toBe("\n");
    expect(module?.["join"]).toBeTypeOf("function");
  });

  it("may wait at its top, be strict, and say what looks like an import", async () => {
    const main = `const n = await Promise.resolve(2);
const prompt = \`
import { z } from "zod";
export { n as default };
\`;
export default { n, prompt, self: typeof this, isCommonJs: typeof module + typeof exports };
`;
    const module = await exportsOf({ "main.ts": main });
    expect(module?.["default"]).toEqual({
      n: 2,
      prompt: '\nimport { z } from "zod";\nexport { n as default };\n',
      self: "undefined",
      isCommonJs: "undefinedundefined",
    });
  });

  it("gives a function the text that a module gives it", async () => {
    const main = `import { join } from "node:path";\nexport default () => join("a", "b");\n`;
    const module = await exportsOf({ "main.ts": main });
    expect(String(module?.["default"])).toBe('() => join("a", "b")');
  });

  it("fails with Node's own words where a name is not exported", async () => {
    const failing = exportsOf({ "main.ts": 'import { nothing } from "node:path";\nexport default nothing;' });
    await expect(failing).rejects.toThrow(/does not provide an export named 'nothing'/);
  });

  it("is none where code asks for its module", async () => {
    expect(await exportsOf({ "main.ts": "export default import.meta.resolve;" })).toBeUndefined();
  });
});
