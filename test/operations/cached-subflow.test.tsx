import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { expect, test } from "vitest";
import { z } from "zod";
import { storeOf } from "../../src/operations/request/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("a subflow with `cache` makes no child run where the same input was answered before", async () => {
  const folder = temporaryFolder("cached");
  const { Workflow, Task, Subflow, outputs, service } = createService(
    { input: z.object({ city: z.string() }), output: z.object({ n: z.number() }) },
    { dbPath: join(folder, "runs.db") },
  );
  let calls = 0;
  const child = service(() => (
    <Workflow name="child">
      <Task id="count" output={outputs.output}>
        {() => {
          calls += 1;
          return { n: calls };
        }}
      </Task>
    </Workflow>
  ));
  const parent = service((ctx) => (
    <Workflow name="parent">
      <Subflow
        id="sub"
        workflow={child}
        input={{ city: ctx.input.city }}
        output={outputs.output}
        cache={{}}
      />
    </Workflow>
  ));
  const ask = async (runId: string, city: string) =>
    (await runWorkflow(parent, { runId, input: { city } })).output;
  expect(await ask("first", "Oslo")).toEqual({ n: 1 });
  expect(await ask("second", "Oslo")).toEqual({ n: 1 });
  expect(await (await storeOf(parent)).getRun("second:sub:0")).toBeUndefined();
  expect(await ask("third", "Rome")).toEqual({ n: 2 });
});
