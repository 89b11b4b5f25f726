import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { hashSources, type Minify, minifySources } from "../../src/loader/workflow-hash.js";

const minify: Minify = async (text, loader) =>
  (await transform(text, { loader, jsx: "preserve", minifyWhitespace: true, legalComments: "none" })).code;

const hash = async (files: Record<string, string>, folder = "/a") => {
  const sources = Object.entries(files).map(([path, text]) => ({
    path: `${folder}/${path}`,
    text,
    prefix: "",
  }));
  return hashSources(`${folder}/flow.tsx`, await minifySources(sources, minify));
};

const CODE = `import { a } from "./a";
export default <Task id="x">{() => a + 1}</Task>;
`;
const A = "export const a: number = 1;";

describe("the hash of a workflow's code", () => {
  it("does not depend on comments, types, formatting, the order of files, or the folder", async () => {
    const plain = await hash({ "flow.tsx": CODE, "a.ts": A });
    const edited = `// why\n/* and\nhow */${CODE.replace("a + 1", "a   +   1 /* one more */")}`;
    expect(await hash({ "flow.tsx": edited, "a.ts": A })).toBe(plain);
    expect(await hash({ "flow.tsx": CODE, "a.ts": "export const a = 1 as const satisfies number;" })).toBe(
      plain,
    );
    expect(await hash({ "a.ts": A, "flow.tsx": CODE })).toBe(plain);
    expect(await hash({ "flow.tsx": CODE, "a.ts": A }, "/somewhere/else")).toBe(plain);
  });

  it("depends on code and data, also of imported files", async () => {
    const plain = await hash({ "flow.tsx": CODE, "a.ts": A, "d.json": "{}" });
    expect(await hash({ "flow.tsx": CODE.replace("+ 1", "+ 2"), "a.ts": A, "d.json": "{}" })).not.toBe(plain);
    expect(await hash({ "flow.tsx": CODE, "a.ts": A.replace("1", "2"), "d.json": "{}" })).not.toBe(plain);
    expect(await hash({ "flow.tsx": CODE, "a.ts": A, "d.json": '{"a":1}' })).not.toBe(plain);
    expect(await hash({ "flow.tsx": CODE, "b.ts": A, "d.json": "{}" })).not.toBe(plain);
  });
});
