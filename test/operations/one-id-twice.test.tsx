import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

it("of two starts of one id at the same time one drives the run, the other hears that it runs", async () => {
  const { api, drive } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = api;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let bodies = 0;
  const workflow = service(() => (
    <Workflow name="once">
      <Task id="only" output={outputs.row}>
        {async () => {
          bodies += 1;
          await released;
          return { n: 1 };
        }}
      </Task>
    </Workflow>
  ));
  const starts = [1, 2, 3].map(() => drive(workflow, { runId: "one" }));
  const refusals = await Promise.all(
    starts.map((start) =>
      Promise.race([start.then(() => "finished"), released.then(() => "released")]).catch(
        (error: { code: string }) => {
          queueMicrotask(() => setImmediate(release));
          return error.code;
        },
      ),
    ),
  );
  expect(refusals.filter((code) => code === "RUN_STILL_RUNNING")).toHaveLength(2);
  expect((await Promise.allSettled(starts)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(bodies).toBe(1);
});
