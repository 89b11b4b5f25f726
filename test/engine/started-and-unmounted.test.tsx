import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { r: z.object({ n: z.number() }) };

describe("a task that one completion mounts and the next one of the same turn unmounts", () => {
  it.each([1, 2, 3])("never begins, with %i slots", async (maxConcurrency) => {
    const { api, run, events, node } = openScene(schemas);
    const { Workflow, Parallel, Task, outputs, service } = api;
    const ran: string[] = [];
    const task = (id: string) => (
      <Task id={id} output={outputs.r}>
        {() => {
          ran.push(id);
          return { n: 1 };
        }}
      </Task>
    );
    const result = await run(
      service((ctx) => (
        <Workflow name="flicker">
          <Parallel>
            {task("a")}
            {task("b")}
            {ctx.outputMaybe("r", { nodeId: "b" }) === undefined && task("x")}
          </Parallel>
        </Workflow>
      )),
      { maxConcurrency },
    );
    expect(result.status).toBe("finished");
    const isMet = maxConcurrency === 3;
    expect(ran).toEqual(isMet ? ["a", "b", "x"] : ["a", "b"]);
    expect((await events("NodeStarted")).map(({ nodeId }) => nodeId)).toEqual(ran);
    expect((await node("x"))?.state).toBe(isMet ? "finished" : "cancelled");
  });

  it("never begins behind another task either", async () => {
    const { api, run, events } = openScene(schemas);
    const { Workflow, Parallel, Sequence, Task, outputs, service } = api;
    const task = (id: string) => (
      <Task id={id} output={outputs.r}>
        {() => ({ n: 1 })}
      </Task>
    );
    const result = await run(
      service((ctx) => (
        <Workflow name="behind">
          <Parallel>
            <Sequence>
              {task("a")}
              {ctx.outputs.r.length < 2 && task("x")}
              {task("y")}
            </Sequence>
            {task("b")}
          </Parallel>
        </Workflow>
      )),
      { maxConcurrency: 2 },
    );
    expect(result.status).toBe("finished");
    expect((await events("NodeStarted")).map(({ nodeId }) => nodeId)).toEqual(["a", "b", "y"]);
  });
});

it("a task that an alert calls off in the turn that starts it never begins", async () => {
  const { api, run, node, attempts } = openScene(schemas);
  const { Workflow, Task, outputs, service } = api;
  let ran = false;
  const result = await run(
    service(
      () => (
        <Workflow name="called-off">
          <Task id="a" output={outputs.r}>
            {() => {
              ran = true;
              return { n: 1 };
            }}
          </Task>
        </Workflow>
      ),
      { alertPolicy: { rules: { "task-running": { reaction: "cancel" } } } },
    ),
  );
  expect(result.status).toBe("cancelled");
  expect(ran).toBe(false);
  expect((await node("a"))?.state).toBe("cancelled");
  expect((await attempts("a")).map(({ state }) => state)).toEqual(["cancelled"]);
});
