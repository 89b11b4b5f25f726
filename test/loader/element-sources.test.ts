import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { hoistElementSources, SOURCE_TABLE_BANNER } from "../../src/loader/element-sources.js";

async function compile(code: string, sourcefile = "flow.tsx"): Promise<string> {
  const { code: compiled } = await transform(code, {
    loader: "tsx",
    jsx: "automatic",
    jsxDev: true,
    sourcefile,
    banner: SOURCE_TABLE_BANNER,
  });
  return hoistElementSources(compiled);
}

const CODE = "export const f = () => {\n  return <a href={1}>{() => <b />}</a>;\n};\n";

/** The text that a function is compared by. */
const functionText = (compiled: string) => compiled.slice(compiled.indexOf("export const f"));

describe("the places of elements", () => {
  it("are in a table at the top, in the order of the code", async () => {
    const compiled = await compile(CODE);
    expect(compiled.split("\n")[0]).toBe(
      'const __elementSources = [{fileName:"flow.tsx",lineNumber:2,columnNumber:29},{fileName:"flow.tsx",lineNumber:2,columnNumber:10}];',
    );
    expect(functionText(compiled)).not.toMatch(/fileName|lineNumber/);
  });

  it("leave no trace of lines or file names in a function's text", async () => {
    const moved = `// a comment\n\n\n${CODE}`;
    expect(functionText(await compile(moved, "elsewhere/x.tsx"))).toBe(functionText(await compile(CODE)));
  });

  it("keep all other code on its line", async () => {
    const code = `${CODE}throw new Error("here");\n`;
    const lineOf = (text: string) => text.split("\n").findIndex((line) => line.startsWith("throw"));
    const { code: before } = await transform(code, {
      loader: "tsx",
      jsx: "automatic",
      jsxDev: true,
      banner: SOURCE_TABLE_BANNER,
    });
    expect(lineOf(await compile(code))).toBe(lineOf(before));
  });

  it("may lie in files with quotes and dollar signs in their names", async () => {
    const compiled = await compile(CODE, 'we"ird$&.tsx');
    expect(compiled.split("\n")[0]).toContain("fileName:'we\"ird$&.tsx'");
  });
});
