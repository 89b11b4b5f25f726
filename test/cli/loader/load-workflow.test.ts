import { describe, expect, it } from "vitest";
import { ProcessWorkspace } from "../support/treadle.js";
import { HELLO } from "../support/workflows.js";

const IMPORTS = `import { createService } from "treadle";
import { z } from "zod";
`;

/** A workflow whose output is the value of an expression of its module. */
const telling = (declarations: string, expression: string) => `${IMPORTS}${declarations}
const { Workflow, Task, service, outputs } = createService({ output: z.object({ value: z.any() }) });
export default service(() => (
  <Workflow name="telling">
    <Task id="tell" output={outputs.output}>{() => ({ value: ${expression} })}</Task>
  </Workflow>
));
`;

async function notify(workspace: ProcessWorkspace, file = "flow.tsx") {
  const { document, stderr } = await workspace.json<{ output: { value: unknown } }>(["up", file]);
  expect(document, stderr).toHaveProperty("output");
  return document.output.value;
}

describe("a workflow file", () => {
  it("needs no package around it: the library and zod come from the command", async () => {
    const { code, stdout } = await new ProcessWorkspace({ "hello.tsx": HELLO }).treadle(["up", "hello.tsx"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ text: "hello world" });
  });

  it("knows its own place, and so do the files it imports", async () => {
    const workspace = new ProcessWorkspace({
      "flows/flow.tsx": telling(
        `import { place } from "../lib/place";`,
        `[import.meta.url, import.meta.dirname, import.meta.filename, __dirname, __filename, place]`,
      ),
      "lib/place.ts": "export const place: string = import.meta.dirname;",
    });
    expect(await notify(workspace, "flows/flow.tsx")).toEqual([
      `file://${workspace.path("flows/flow.tsx")}`,
      workspace.path("flows"),
      workspace.path("flows/flow.tsx"),
      workspace.path("flows"),
      workspace.path("flows/flow.tsx"),
      workspace.path("lib"),
    ]);
  });

  it("may import JSON, and TypeScript with or without its ending", async () => {
    const workspace = new ProcessWorkspace({
      "flow.tsx": telling(
        `import data from "./data.json" with { type: "json" };
import { a } from "./a";
import { b } from "./b.js";
import { c } from "./c.ts";`,
        "[data.n, a, b, c]",
      ),
      "data.json": '{"n":7}',
      "a.ts": "export const a: string = 'a';",
      "b.ts": "export const b: string = 'b';",
      "c.ts": "export const c: string = 'c';",
    });
    expect(await notify(workspace)).toEqual([7, "a", "b", "c"]);
  });

  it("finds packages from its own folder, ES modules and CommonJS", async () => {
    const workspace = new ProcessWorkspace({
      "flow.tsx": telling(`import { es } from "es-pack";\nimport cjs from "cjs-pack";`, "[es, cjs.name]"),
      "node_modules/es-pack/package.json":
        '{"name":"es-pack","type":"module","exports":{"import":"./i.js","require":"./r.cjs"}}',
      "node_modules/es-pack/i.js": "export const es = 'imported';",
      "node_modules/es-pack/r.cjs": "exports.es = 'required';",
      "node_modules/cjs-pack/package.json": '{"name":"cjs-pack","main":"main.js"}',
      "node_modules/cjs-pack/main.js":
        "module.exports = { name: require('node:path').basename(__filename) };",
    });
    expect(await notify(workspace)).toEqual(["imported", "main.js"]);
  });

  it("shares one React and one library with the command, whatever lies next to it", async () => {
    const workspace = new ProcessWorkspace({
      "flow.tsx": telling(
        `import { useMemo } from "react";\nconst Part = () => useMemo(() => null, []);`,
        "typeof Part",
      ),
      "node_modules/react/package.json": '{"name":"react","version":"17.0.0","main":"index.js"}',
      "node_modules/react/index.js": "throw new Error('another React');",
      "node_modules/treadle/package.json": '{"name":"treadle","version":"0.0.0","main":"index.js"}',
      "node_modules/treadle/index.js": "throw new Error('another treadle');",
    });
    expect(await notify(workspace)).toBe("function");
  });

  it("is compiled for this library also where a tsconfig says otherwise", async () => {
    const workspace = new ProcessWorkspace({
      "flow.tsx": telling(`import { far } from "@lib/far";`, "far"),
      "lib/far.ts": "export const far = 'far';",
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          jsx: "preserve",
          jsxImportSource: "react",
          baseUrl: ".",
          paths: { "@lib/*": ["./lib/*"] },
        },
      }),
    });
    expect(await notify(workspace)).toBe("far");
  });

  it("may start with a line for the shell, and await at the top", async () => {
    const workspace = new ProcessWorkspace({
      "flow.tsx": `#!/usr/bin/env treadle\n${telling("const value = await Promise.resolve(5);", "value")}`,
    });
    expect(await notify(workspace)).toBe(5);
  });

  it("leaves nothing behind next to it", async () => {
    const workspace = new ProcessWorkspace({ "hello.tsx": HELLO });
    await workspace.treadle(["graph", "hello.tsx"]);
    const { readdirSync } = await import("node:fs");
    expect(readdirSync(workspace.folder)).toEqual(["hello.tsx"]);
  });
});

describe("a file that is no workflow", () => {
  const refused = async (text: string, file = "flow.tsx") => {
    const workspace = new ProcessWorkspace({ [file]: text });
    const { code, document } = await workspace.json<{
      error: { code: string; summary: string; details: object };
    }>(["up", file]);
    expect(code).toBe(4);
    return document.error;
  };

  it("has no default export", async () => {
    expect(await refused("export const a = 1;")).toMatchObject({
      code: "WORKFLOW_MISSING_DEFAULT",
      summary: "flow.tsx has no default export.",
    });
  });

  it("exports its workflow under a name only, which the error says", async () => {
    const error = await refused(HELLO.replace("export default service", "export const flow = service"));
    expect(error).toMatchObject({
      code: "WORKFLOW_MISSING_DEFAULT",
      summary: expect.stringMatching(
        /the export flow \(flow\.tsx:9:1\)\.\n[\s\S]*> +9 \| export const flow = service/,
      ),
    });
  });

  it.each([
    ["export default 3;", "a value of type number"],
    ["export default function build() {}", "the function build"],
    [`${IMPORTS}export default createService({});`, "the result of createService"],
  ])("exports something else: %s", async (text, what) => {
    expect(await refused(text)).toMatchObject({
      code: "WORKFLOW_NOT_BUILT",
      details: { at: expect.stringMatching(/^flow\.tsx:\d+:1$/) },
      summary: expect.stringContaining(what),
    });
  });

  it("is written in another language", async () => {
    expect(await refused("print('hi')", "flow.py")).toMatchObject({ code: "WORKFLOW_LOAD_FAILED" });
  });

  it("is a folder", async () => {
    const workspace = new ProcessWorkspace({ "flow.tsx/x": "" });
    const { document } = await workspace.json(["graph", "flow.tsx"]);
    expect(document).toMatchObject({
      error: { code: "WORKFLOW_NOT_FOUND", summary: expect.stringMatching(/folder/) },
    });
  });
});
