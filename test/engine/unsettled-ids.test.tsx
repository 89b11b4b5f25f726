import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { r: z.object({ n: z.number() }) };

it("ids that are others in every render fail the run in words", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Task, outputs, service } = api;
  let renders = 0;
  const result = await run(
    service((ctx) => {
      renders += 1;
      return (
        <Workflow name="restless">
          <Task id="fixed" output={outputs.r}>
            {{ n: ctx.outputs.r.length }}
          </Task>
          <Task id={`made-up-${renders}`} output={outputs.r}>
            {() => ({ n: 1 })}
          </Task>
        </Workflow>
      );
    }),
  );
  expect(result).toMatchObject({ status: "failed", error: { code: "WORKFLOW_RENDER_FAILED" } });
  expect(result.error?.message).toMatch(
    /The ids of tasks change with every render: made-up-\d became made-up-\d/,
  );
});

it("a tree that puts a task in the place of another one by its rows continues", async () => {
  const { api, run, events } = openScene(schemas);
  const { Workflow, Branch, Task, outputs, service } = api;
  const task = (id: string) => (
    <Task id={id} output={outputs.r}>
      {() => ({ n: 1 })}
    </Task>
  );
  const result = await run(
    service((ctx) => (
      <Workflow name="branching">
        <Branch if={ctx.outputs.r.length === 0} then={task("a")} else={task("b")} />
      </Workflow>
    )),
  );
  expect(result.status).toBe("finished");
  expect((await events("NodeStarted")).map(({ nodeId }) => nodeId)).toEqual(["a", "b"]);
});

it("a deadlock over a task in nested loops says how to name it", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Parallel, Sequence, Loop, Task, outputs, service } = api;
  const result = await run(
    service(() => (
      <Workflow name="stuck">
        <Parallel>
          <Loop id="outer" until maxIterations={2}>
            <Sequence>
              <Loop id="inner" until maxIterations={2}>
                <Task id="deep" output={outputs.r}>
                  {{ n: 1 }}
                </Task>
              </Loop>
            </Sequence>
          </Loop>
          <Task id="outside" output={outputs.r} dependsOn={["deep"]}>
            {{ n: 2 }}
          </Task>
        </Parallel>
      </Workflow>
    )),
  );
  expect(result).toMatchObject({ status: "failed", error: { code: "SCHEDULER_ERROR" } });
  expect(result.error?.message).toContain(
    "deep stands in nested loops: from outside it is named with their iterations, deep@@outer=0.",
  );
});
