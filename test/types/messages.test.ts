import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { consumerFolder, ROOT } from "./support/built-types.js";

/** What a compiler says of a task of output `{ s: string }` with this child. */
function said(compiler: string, child: string): string {
  const { folder, remove } = consumerFolder(
    "flow.tsx",
    `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, service, outputs } = createService({ row: z.object({ s: z.string() }) });
export default service(() => <Workflow name="w"><Task id="a" output={outputs.row}>{${child}}</Task></Workflow>);
`,
  );
  onTestFinished(remove);
  const tsc = join(ROOT, "node_modules", compiler, "bin", "tsc");
  return spawnSync(process.execPath, [tsc, "--pretty", "false"], { cwd: folder, encoding: "utf8" }).stdout;
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

describe.each(["typescript", "typescript-5"])(
  "%s names the field that does not fit, and both types:",
  (compiler) => {
    it.each([
      ["async () => ({ s: 1 })", wrongType],
      ["() => ({ s: 1 })", wrongType],
      ['async () => ({ s: "a", t: 1 })', extraField],
      ['() => ({ s: "a", t: 1 })', extraField],
      ["async () => ({})", missingField],
    ])("%s", (child, expected) => {
      const text = said(compiler, child);
      for (const sentence of expected) expect(text).toContain(sentence);
      expect(text).not.toContain("missing in type 'Promise<");
    });
  },
);
