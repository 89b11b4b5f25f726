import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";

it("a task that can never start is shown with its place, its lines, what was meant, and what to do", async () => {
  const workspace = new Workspace({
    "flow.tsx": `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Parallel, Task, service, outputs } = createService({ out: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="stuck">
    <Parallel>
      <Task id="build" output={outputs.out}>{{ n: 1 }}</Task>
      <Task id="ship" output={outputs.out} dependsOn={["biuld"]}>{{ n: 2 }}</Task>
    </Parallel>
  </Workflow>
));
`,
  });
  const { code, stderr } = await workspace.treadle(["up", "flow.tsx"]);
  expect(code).toBe(1);
  const summary = stderr.slice(stderr.indexOf("✗ run"));
  expect(summary).toContain("ship::0 waits for biuld, which no task is (did you mean build?)");
  expect(summary).toMatch(/^ {2}at {4}flow\.tsx:8$/m);
  expect(summary).toMatch(/^ {8}> +8 \| +<Task id="ship"/m);
  expect(summary).toMatch(/^ {2}next {2}Correct what the message names/m);
  expect(summary.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
});
