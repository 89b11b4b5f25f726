import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

it("a run that continues because of its loop hands over the state it was given", async () => {
  const scene = openScene({ step: z.object({ n: z.number() }) });
  const { Workflow, Sequence, Loop, Task, Branch, ContinueAsNew, outputs, service } = scene.api;
  const seen: unknown[] = [];
  const workflow = service((ctx) => (
    <Workflow name="pages">
      <Sequence>
        <Branch if={ctx.continuation === undefined} then={<ContinueAsNew state={{ page: 2 }} />} />
        <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
          <Task id="step" output={outputs.step}>
            {() => {
              seen.push(ctx.continuation);
              return { n: 1 };
            }}
          </Task>
        </Loop>
      </Sequence>
    </Workflow>
  ));
  expect((await scene.run(workflow)).status).toBe("finished");
  expect(seen).toEqual([{ page: 2 }, { page: 2 }, { page: 2 }]);
});
