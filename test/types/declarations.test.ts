import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../src/service/create-service.js";
import { ROOT } from "./support/built-types.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const members = Object.keys(createService({ output: z.object({ n: z.number() }) }));

/** What one file of a project hands to the others: the compiler has to be able to name all of it. */
const SHARED = `import * as treadle from "treadle";
import { createService, runWorkflow } from "treadle";
import { testWorkflow, workflowMatchers } from "treadle/testing";
import { defineTool } from "treadle/tools";
import { z } from "zod";
export const api = createService({ input: z.object({ a: z.string() }), output: z.object({ n: z.number() }) });
export const { ${members.join(", ")} } = api;
export const components = { ${members.filter((name) => /^[A-Z]/.test(name)).map((name) => `${name}: treadle.${name}`)} };
export const workflow = service((ctx) => null);
export const context = () => useCtx();
export const run = () => runWorkflow(workflow, { input: { a: "" } });
export const tested = () => testWorkflow(workflow, { input: { a: "" } });
export const tasks = () => tested().tasks();
export const matchers = workflowMatchers;
export const tool = defineTool({ name: "t", description: "d", schema: z.object({}), execute: () => 1 });
`;

const SETTINGS = {
  target: "ES2023",
  module: "NodeNext",
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: "out",
  skipLibCheck: true,
  types: ["node"],
};

it("a project that emits declarations may share whatever createService and the components give", () => {
  const folder = temporaryFolder("shared");
  const installed = join(folder, "node_modules/treadle");
  const isDeclared = (path: string) => statSync(path).isDirectory() || path.endsWith(".d.ts");
  cpSync(join(ROOT, "dist"), join(installed, "dist"), { recursive: true, filter: isDeclared });
  cpSync(join(ROOT, "package.json"), join(installed, "package.json"));
  mkdirSync(join(folder, "node_modules/@types"));
  for (const name of ["zod", "@types/node"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: SETTINGS, files: ["shared.ts"] }),
  );
  writeFileSync(join(folder, "shared.ts"), SHARED);
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});
