import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { r: z.object({ n: z.number() }) };

it("a row from a nested loop is found when the loop has left the tree, by a resumed run as well", async () => {
  const { api, run, resume, node, events } = openScene(schemas);
  const { Workflow, Sequence, Loop, Task, outputs, service } = api;
  let isBroken = true;
  const workflow = service((ctx) => (
    <Workflow name="leaving">
      {ctx.outputMaybe("r", { nodeId: "inner-task" }) === undefined && (
        <Loop id="outer" until={false} maxIterations={2}>
          <Sequence>
            <Loop id="inner" until maxIterations={2}>
              <Task id="inner-task" output={outputs.r}>
                {{ n: 1 }}
              </Task>
            </Loop>
          </Sequence>
        </Loop>
      )}
      <Task id="last" output={outputs.r} noRetry>
        {() => {
          if (isBroken) throw new Error("broken");
          return { n: 2 };
        }}
      </Task>
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("failed");
  expect(await node("inner-task@@outer=1")).toBeUndefined();
  isBroken = false;
  expect((await resume(workflow)).status).toBe("finished");
  expect((await events("NodeStarted")).map(({ nodeId }) => nodeId)).toEqual([
    "inner-task@@outer=0",
    "last",
    "last",
  ]);
});
