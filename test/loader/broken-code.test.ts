import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWorkflow } from "../../src/loader/bundle-workflow.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function compiled(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return bundleWorkflow({
    entry: join(cwd, "flow.tsx"),
    outfile: join(cwd, "flow.mjs"),
    cwd,
    resolveOwn: (own) => own,
  });
}

const USES = 'import { helper } from "./helper";\n\nexport default helper();\n';

describe("an import of what a file does not export is a mistake with its place", () => {
  it.each([
    ["is empty", ""],
    ["is commented out", "// export const helper = () => 1;\n"],
    ["is commented out as a block", "/*\nexport const helper = () => 1;\n*/\n"],
    ["exports something else", "export const other = 1;\n"],
    ["has lost the word export", "const helper = () => 1;\n"],
  ])("where the file %s", async (_what, text) => {
    await expect(compiled({ "flow.tsx": USES, "helper.ts": text })).rejects.toMatchObject({
      code: "WORKFLOW_LOAD_FAILED",
      message: expect.stringContaining("helper"),
      details: { issues: [{ file: "flow.tsx", line: 1, column: 10 }] },
    });
  });

  it.each([
    ["the default", 'import helper from "./helper";\nexport default helper;\n', ""],
    ["another name", 'import { helper as own } from "./helper";\nexport default own;\n', ""],
    [
      "a called member",
      'import * as h from "./helper";\nexport default h.helper();\n',
      "export const a = 1;",
    ],
    [
      "a rendered member",
      'import * as h from "./helper";\nexport default <h.Helper />;\n',
      "export const a = 1;",
    ],
  ])("as %s", async (_what, flow, helper) => {
    await expect(compiled({ "flow.tsx": flow, "helper.js": helper })).rejects.toMatchObject({
      code: "WORKFLOW_LOAD_FAILED",
    });
  });

  it("as code that throws whenever it runs", async () => {
    const flow = 'import * as helper from "./helper";\nexport default helper();\n';
    await expect(compiled({ "flow.tsx": flow, "helper.ts": "export const a = 1;" })).rejects.toMatchObject({
      details: { issues: [{ file: "flow.tsx", line: 2, message: expect.stringContaining("crash") }] },
    });
  });
});

describe("what works stays as it is", () => {
  it.each([
    ["a type that is gone", 'import { type A } from "./helper";\nexport default 1 as unknown as A;', ""],
    ["a type without the word", 'import { A } from "./helper";\nexport default 1 as A;', ""],
    ["a file for its effects", 'import "./helper";\nexport default 1;', "globalThis.x = 1;"],
    ["a CommonJS module", 'import a from "./helper";\nexport default a.b;', "module.exports = { b: 1 };"],
    ["exports by name", 'import { b } from "./helper";\nexport default b;', "exports.b = 1;"],
    [
      "CommonJS behind a text that looks like a comment",
      'import { b } from "./helper";\nexport default b;',
      'const all = "src/*"; exports.b = all; // */\n',
    ],
    [
      "a member that is only read",
      'import * as h from "./helper";\nexport default [h.maybe, h.maybe?.(), h.maybe ?? 1];',
      "export const a = 1;",
    ],
  ])("%s", async (_what, flow, helper) => {
    await expect(compiled({ "flow.tsx": flow, "helper.js": helper })).resolves.toBeDefined();
  });
});
