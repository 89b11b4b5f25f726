import { taskKey } from "../../src/model/address.js";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { r: z.object({ n: z.number() }) };

it("ctx.iterations of an inner loop is 0 again in the first frame of a new outer iteration", async () => {
  const { api, run, events } = openScene(schemas);
  const { Workflow, Sequence, Loop, Task, outputs, service } = api;
  const result = await run(
    service((ctx) => {
      const inner = ctx.iterations["inner"] ?? 0;
      return (
        <Workflow name="rounds">
          <Loop id="outer" until={false} maxIterations={2}>
            <Sequence>
              <Loop id="inner" until={false} maxIterations={2}>
                <Task id={inner === 0 ? "first" : "second"} output={outputs.r}>
                  {() => ({ n: inner })}
                </Task>
              </Loop>
            </Sequence>
          </Loop>
        </Workflow>
      );
    }),
  );
  expect(result.status).toBe("finished");
  const started = (await events("NodeStarted")).map(({ nodeId, iteration }) =>
    taskKey({ nodeId, iteration }),
  );
  expect(started).toEqual([
    "first@@outer=0::0",
    "second@@outer=0::1",
    "first@@outer=1::0",
    "second@@outer=1::1",
  ]);
});
