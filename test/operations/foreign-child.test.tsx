import { expect, test } from "vitest";
import { z } from "zod";
import { runWorkflow, createService } from "../../src/index.js";

test("a run that a caller has started under the id of a child is none, however it ended", async () => {
  const { Workflow, Task, Subflow, service, outputs } = createService(
    { output: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const one = (name: string, n: number) =>
    service(() => (
      <Workflow name={name}>
        <Task id="only" output={outputs.output}>
          {{ n }}
        </Task>
      </Workflow>
    ));
  const child = one("child", 1);
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} />
    </Workflow>
  ));
  await runWorkflow(one("stranger", 666), { runId: "taken:sub:0", input: {} });
  expect(await runWorkflow(parent, { runId: "taken", input: {} })).toMatchObject({
    status: "failed",
    error: { code: "RUN_EXISTS", details: { runId: "taken:sub:0", parentRunId: "taken" } },
  });
  expect(await runWorkflow(parent, { runId: "free", input: {} })).toMatchObject({ output: { n: 1 } });
});
