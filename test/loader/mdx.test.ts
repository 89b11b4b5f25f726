import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const FLOW = 'import Prompt from "./prompt.mdx"; export default Prompt;';

/** Repeats its input, and refuses as MDX does. */
const COMPILER = `export async function compile({ value, path }, { jsxImportSource }) {
  if (value.includes("{")) throw Object.assign(new Error("1:9: no expression"), { reason: "no expression", line: 2, column: 3 });
  return { toString: () => \`import { note } from "./note.js"; export default () => [\${JSON.stringify([value, jsxImportSource])}, note]\` };
}`;

async function defaultOf(files: Readonly<Record<string, string>>): Promise<unknown> {
  const cwd = temporaryFolder("mdx");
  for (const [name, text] of Object.entries({ "flow.ts": FLOW, ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const outfile = join(cwd, "flow.mjs");
  const entry = join(cwd, "flow.ts");
  const { code, hash } = await bundleWorkflow({ entry, outfile, cwd, resolveOwn: (own) => own });
  await hash;
  writeFileSync(outfile, code);
  return ((await import(outfile)) as { default: unknown }).default;
}

const installed = {
  "node_modules/@mdx-js/mdx/package.json": '{"type":"module","exports":"./index.js"}',
  "node_modules/@mdx-js/mdx/index.js": COMPILER,
};

describe("an .mdx file that a workflow imports", () => {
  it("is its text where the project has no compiler for it", async () => {
    expect(await defaultOf({ "prompt.mdx": "# Rate {it}" })).toBe("# Rate {it}");
  });

  it("is the component that the project's compiler makes of it, with what it imports itself", async () => {
    const Prompt = await defaultOf({
      ...installed,
      "prompt.mdx": "# Rate it",
      "note.ts": 'export const note: string = "noted";',
    });
    expect((Prompt as () => unknown)()).toEqual([["# Rate it", "treadle"], "noted"]);
  });

  it("that cannot be compiled is reported with its line", async () => {
    const broken = defaultOf({ ...installed, "prompt.mdx": "# Rate\n  {it" });
    await expect(broken).rejects.toMatchObject({
      code: "WORKFLOW_LOAD_FAILED",
      details: {
        issues: [{ message: "no expression", file: expect.stringContaining("prompt.mdx"), line: 2 }],
      },
    });
  });
});
