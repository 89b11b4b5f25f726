import { describe, expect, it } from "vitest";
import { ProcessWorkspace, Workspace } from "../support/treadle.js";

const IMPORTS = `import { createService } from "treadle";
import { z } from "zod";
`;

/** Node and its source maps give the places of code that runs: then the commands are processes. */
const whileRunning = (files: Record<string, string>) => errorOf(files, new ProcessWorkspace(files));

async function errorOf(files: Record<string, string>, workspace = new Workspace(files)) {
  const text = await workspace.treadle(["graph", "flow.tsx"]);
  expect(text.code).toBe(4);
  expect(text.stdout).toBe("");
  const { document } = await workspace.json<{ error: { code: string; summary: string; details: unknown } }>([
    "graph",
    "flow.tsx",
  ]);
  return { ...document.error, stderr: text.stderr };
}

describe("an error while loading points at the author's line", () => {
  it("when the syntax is wrong, with the line itself", async () => {
    const error = await errorOf({ "flow.tsx": "const fine = 1;\n\texport default <Task;\n" });
    expect(error.code).toBe("WORKFLOW_LOAD_FAILED");
    expect(error.details).toMatchObject({ issues: [{ file: "flow.tsx", line: 2, column: 22 }] });
    expect(error.stderr).toMatch(/ 2 \| \texport default <Task;\n +\| \t {20}\^\n {2}next/);
  });

  it("on the first line and past characters of several bytes as an editor counts", async () => {
    const error = await errorOf({
      "flow.tsx": 'const word = "größe ✓"; const a = import.meta.url; let a = 2;',
    });
    const at = 'const word = "größe ✓"; const a = import.meta.url; let '.length + 1;
    expect(error.details).toMatchObject({ issues: [{ line: 1, column: at }] });
    expect(error.summary).toContain('1 | const word = "größe ✓"');
  });

  it.each([
    ["part.js", "JSX in a .js file: rename it to .jsx or .tsx"],
    ["part.mjs", "JSX in a .mjs file: rename it to .jsx or .tsx"],
    ["part.ts", "JSX in a .ts file: rename it to .tsx"],
  ])("when %s holds JSX", async (name, message) => {
    const part = 'export const part = () => (\n  <Task id="a">text</Task>\n);\n';
    const error = await errorOf({ "flow.tsx": `import "./${name}";`, [name]: part });
    expect(error.details).toMatchObject({ issues: [{ file: name, line: 2, message }] });
  });

  it("when an imported file is wrong", async () => {
    const error = await errorOf({ "flow.tsx": 'import "./lib/part";', "lib/part.ts": "\nconst a = ;\n" });
    expect(error.details).toMatchObject({ issues: [{ file: "lib/part.ts", line: 2 }] });
  });

  it("when an imported file no longer exports what is used", async () => {
    const error = await errorOf({
      "flow.tsx": 'import { part } from "./lib/part";\nexport default part();\n',
      "lib/part.ts": "// export const part = () => 1;\n",
    });
    expect(error.details).toMatchObject({
      issues: [{ file: "flow.tsx", line: 1, message: expect.stringContaining('"part"') }],
    });
  });

  it("when a package, a part of the library or a file does not exist", async () => {
    const error = await errorOf({
      "flow.tsx": `import a from "left-pad";\nimport b from "treadle/nope";\nimport c from "./gone";\nexport default [a, b, c];`,
    });
    expect(error.details).toMatchObject({
      issues: [
        { message: expect.stringContaining('Cannot find package "left-pad"'), line: 1 },
        { message: expect.stringContaining('"treadle/nope" is not part'), line: 2 },
        { message: expect.stringContaining("./gone"), line: 3 },
      ],
    });
  });

  it("when the module throws", async () => {
    const error = await whileRunning({
      "flow.tsx": 'import { boom } from "./boom";\n\nboom();\nexport default 1;\n',
      "boom.ts":
        "interface Unused {\n  a: string;\n}\nexport function boom(): never {\n  throw new TypeError('no such thing');\n}\n",
    });
    expect(error).toMatchObject({
      code: "WORKFLOW_LOAD_FAILED",
      summary: expect.stringMatching(
        /^flow\.tsx failed while it was loaded: TypeError: no such thing \(boom\.ts:5:9\)\.\n/,
      ),
      details: { at: "boom.ts:5:9" },
    });
    expect(error.summary).toContain("\n> 5 |   throw new TypeError('no such thing');\n    |         ^");
  });

  it("when a package lacks what is imported", async () => {
    const error = await whileRunning({
      "flow.tsx": 'import { late } from "./part";\nexport default late;\n',
      "part.ts": 'import {\n  z,\n  nope as late,\n} from "zod";\nexport { z, late };\n',
    });
    expect(error.summary).toContain("zod does not export nope (part.ts:3:3).");
    expect(error.summary).toContain("> 3 |   nope as late,");
  });

  it("when the library refuses a schema, under the library's own code", async () => {
    const error = await whileRunning({
      "flow.tsx": `${IMPORTS}\nconst api = createService({ a: z.object({ f: z.function() }) });\nexport default api;\n`,
    });
    expect(error).toMatchObject({
      code: "SCHEMA_INCOMPATIBLE",
      summary: expect.stringMatching(/^flow\.tsx:4:\d+: /),
    });
  });

  it("when it would end the process, which is not ended, whatever the code would be", async () => {
    const error = await whileRunning({
      "flow.tsx": `import { leave } from "./leave";\nif (leave.name !== "") leave();\nexport default 1;\n`,
      "leave.ts": "export function leave() {\n  process.exit(0);\n}\n",
    });
    expect(error.code).toBe("WORKFLOW_LOAD_FAILED");
    expect(error.summary).toContain("process.exit(0) while flow.tsx is loaded would end the whole process");
    expect(error.stderr).toContain("> 2 |   process.exit(0);");
  });

  it("when a module of another runtime is imported, which no package can bring", async () => {
    const error = await errorOf({
      "flow.tsx": `import { $ } from "bun";\nimport { Database } from "bun:sqlite";\nexport default [$, Database];\n`,
    });
    expect(error.summary).toContain('flow.tsx:1:19: "bun" is part of Bun; workflows run in Node');
    expect(error.summary).toContain('flow.tsx:2:26: "bun:sqlite" is part of Bun; workflows run in Node');
  });

  it("when a component throws", async () => {
    const error = await whileRunning({
      "flow.tsx": `${IMPORTS}
const { Workflow, Task, service, outputs } = createService({ a: z.object({ x: z.number() }) });
function Part({ list }: { list?: number[] }) {
  return <>{list!.map((n) => <Task key={n} id={"a" + n} output={outputs.a}>{{ x: n }}</Task>)}</>;
}
export default service(() => <Workflow name="w"><Part /></Workflow>);
`,
    });
    expect(error.code).toBe("WORKFLOW_RENDER_FAILED");
    expect(error.stderr).toMatch(/at +flow\.tsx:6:19\n[\s\S]+> 6 \| {3}return <>\{list/);
  });

  it("when the tree is wrong", async () => {
    const error = await whileRunning({
      "flow.tsx": `${IMPORTS}
const { Workflow, Task, service, outputs } = createService({ a: z.object({ x: z.number() }) });
export default service(() => (
  <Workflow name="w">
    <Task id="a" output={outputs.a}>{{ x: 1 }}</Task>
    <Task id="a" output={outputs.a}>{{ x: 2 }}</Task>
  </Workflow>
));
`,
    });
    expect(error).toMatchObject({ code: "DUPLICATE_ID", summary: expect.stringContaining("(flow.tsx:8)") });
    expect(error.stderr).toContain('>  8 |     <Task id="a" output={outputs.a}>{{ x: 2 }}</Task>');
  });

  it("when loops are nested, and when a component is undefined", async () => {
    const workflow = (body: string) => `${IMPORTS}
const { Workflow, Loop, service } = createService({});
const Missing = (Loop as { nope?: unknown }).nope as typeof Loop;
export default service(() => (
  <Workflow name="w">
    ${body}
  </Workflow>
));
`;
    const nested = await whileRunning({
      "flow.tsx": workflow('<Loop id="x">\n<Loop id="y"><>{Missing}</></Loop>\n</Loop>'),
    });
    expect(nested).toMatchObject({ code: "NESTED_LOOP", summary: expect.stringContaining("(flow.tsx:9)") });
    const missing = await whileRunning({ "flow.tsx": workflow("<Missing />") });
    expect(missing.code).toBe("WORKFLOW_RENDER_FAILED");
    expect(missing.stderr).toMatch(/at +flow\.tsx:8:5\n[\s\S]+> +8 \| +<Missing \/>/);
  });

  it("when a task depends on what the first frame has not, which may be meant", async () => {
    const workspace = new Workspace({
      "flow.tsx": `${IMPORTS}
const { Workflow, Task, service, outputs } = createService({ a: z.object({ x: z.number() }) });
export default service(() => (
  <Workflow name="w">
    <Task id="build" output={outputs.a}>{{ x: 1 }}</Task>
    <Task id="ship" output={outputs.a} dependsOn={["biuld"]}>{{ x: 2 }}</Task>
    <Task id="later" output={outputs.a} dependsOn={["something else"]}>{{ x: 2 }}</Task>
  </Workflow>
));
`,
    });
    const typo =
      'task "ship" (flow.tsx:8) depends on "biuld", which no task of the first frame is; did you mean "build"?';
    const graph = await workspace.treadle(["graph", "flow.tsx"]);
    expect(graph.code).toBe(0);
    expect(graph.stderr).toContain(typo);
    expect(graph.stderr).toContain('task "later" (flow.tsx:9) depends on "something else"');
    const up = await workspace.treadle(["up", "flow.tsx"]);
    expect(up.stderr).toContain(typo);
    expect(up.stderr).toContain(
      'task "later" (flow.tsx:9) depends on "something else", which no task of the first frame is; it waits until one is mounted',
    );
    expect(up.stderr).toMatch(/ship::0 waits for biuld, which no task is/);
    // The same file would end the same way, and the mended one is a changed one.
    expect(up.stderr).toMatch(/mend the file, then treadle up --resume \w+ --accept-workflow-change/);
  });
});
