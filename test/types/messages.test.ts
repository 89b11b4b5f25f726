import { spawnSync } from "node:child_process";
import { join } from "node:path";
import ts from "typescript-5";
import { describe, expect, it, onTestFinished } from "vitest";
import { consumerFolder, ROOT } from "./support/built-types.js";

/** A project whose only file has a task of output `{ s: string }` with this child. */
function projectWith(child: string): string {
  const { folder, remove } = consumerFolder(
    "flow.tsx",
    `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ row: z.object({ s: z.string() }) });
export default service(() => <Workflow name="w"><Task id="a" output={outputs.row}>{${child}}</Task></Workflow>);
`,
  );
  onTestFinished(remove);
  return folder;
}

function saidBy7(folder: string): string {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "--pretty", "false"], { cwd: folder, encoding: "utf8" }).stdout;
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Programs of their own: a compiler explains a difference of two types once. What lies outside is parsed once. */
function saidBy5(folder: string): string {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (name.startsWith(folder)) return getSourceFile(name, ...rest);
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
    return parsed.get(name);
  };
  const program = ts.createProgram(fileNames, options, host);
  return ts.formatDiagnostics(program.getSemanticDiagnostics(), host);
}

const wrongType = [
  "Types of property 's' are incompatible",
  "Type 'number' is not assignable to type 'string'",
];
const extraField = [
  "Types of property 't' are incompatible",
  "Type 'number' is not assignable to type 'never'",
];
const missingField = ["Property 's' is missing in type '{}' but required in type '{ s: string; }'"];

describe.each([
  ["TypeScript 7", saidBy7],
  ["TypeScript 5.9", saidBy5],
])("%s names the field that does not fit, and both types:", (_name, said) => {
  it.each([
    ["async () => ({ s: 1 })", wrongType],
    ["() => ({ s: 1 })", wrongType],
    ['async () => ({ s: "a", t: 1 })', extraField],
    ['() => ({ s: "a", t: 1 })', extraField],
    ["async () => ({})", missingField],
  ])("%s", (child, expected) => {
    const text = said(projectWith(child));
    for (const sentence of expected) expect(text).toContain(sentence);
    expect(text).not.toContain("missing in type 'Promise<");
  });
});
