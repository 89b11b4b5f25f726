import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ProcessWorkspace } from "../support/treadle.js";

it("`up` folds a large write-ahead log back before the process ends", async () => {
  const workspace = new ProcessWorkspace({
    "large.tsx": `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, service, outputs } = createService({ output: z.object({ text: z.string() }) });
export default service(() => (
  <Workflow name="large">
    <Sequence>
      {["a", "b", "c"].map((id) => (
        <Task key={id} id={id} output={outputs.output}>{() => ({ text: id.repeat(1_000_000) })}</Task>
      ))}
    </Sequence>
  </Workflow>
));
`,
  });
  expect((await workspace.treadle(["up", "large.tsx", "-q"])).code).toBe(0);
  const sizeOf = (file: string) =>
    statSync(join(workspace.folder, file), { throwIfNoEntry: false })?.size ?? 0;
  expect(sizeOf("service.db")).toBeGreaterThan(3_000_000);
  expect(sizeOf("service.db-wal")).toBeLessThan(1024 * 1024);
});
