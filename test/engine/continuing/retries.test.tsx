import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

it("attempts that failed count in the next run, which does not try again before the back-off is over", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, Loop, Parallel, outputs, service } = scene.api;
  const tries: number[] = [];
  const start = scene.time.now();
  const workflow = service(() => (
    <Workflow name="retrying">
      <Parallel>
        <Task
          id="flaky"
          output={outputs.row}
          retries={2}
          retryPolicy={{ backoff: "fixed", initialDelayMs: 60_000 }}
        >
          {() => {
            tries.push(scene.time.now() - start);
            throw new Error(`as asked, ${tries.length}`);
          }}
        </Task>
        <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
          <Task id="round" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Loop>
      </Parallel>
    </Workflow>
  ));
  expect(await scene.run(workflow)).toMatchObject({ status: "failed", error: { message: "as asked, 3" } });
  expect(tries).toEqual([0, 60_000, 120_000]);
});
