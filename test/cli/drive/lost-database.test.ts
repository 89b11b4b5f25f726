import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";

it("`up` whose database is deleted while it runs ends with an error, never with success", async () => {
  const workspace = new Workspace({
    "gone.tsx": `import { rmSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, service, outputs } = createService({ output: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="gone">
    <Sequence>
      <Task id="remove" output={outputs.output}>{() => { rmSync("service.db"); return { n: 1 }; }}</Task>
      <Task id="after" output={outputs.output}>{() => ({ n: 2 })}</Task>
    </Sequence>
  </Workflow>
));
`,
  });
  const { code, stdout, stderr } = await workspace.treadle(["up", "gone.tsx"]);
  expect(code).toBe(1);
  expect(stderr).toContain("DB_LOST");
  expect(stdout + stderr).toContain("service.db is gone");
  expect(stdout + stderr).not.toContain("✓ finished");
});
