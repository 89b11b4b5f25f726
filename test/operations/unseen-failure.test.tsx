import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const { Workflow, Task, Subflow, service, outputs } = createService({ output: z.object({ n: z.number() }) });

test("a child's failure that the parent's process died on is its result, not a reason to run it again", async () => {
  let calls = 0;
  const child = service(() => (
    <Workflow name="child">
      <Task id="only" output={outputs.output} retries={0}>
        {() => {
          calls += 1;
          throw new Error("no");
        }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="sub" workflow={child} output={outputs.output} retries={0} />
    </Workflow>
  ));
  const run = testWorkflow(parent);
  await run.run({ commit: 2, when: "before" });
  expect(calls).toBe(1);
  await run.resume();
  expect(run.result.status).toBe("failed");
  expect(calls).toBe(1);
});
