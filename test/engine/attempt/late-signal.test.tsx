import { expect, it } from "vitest";
import { z } from "zod";
import { currentAttempt } from "../../../src/engine/attempt/task-runtime.js";
import { openScene } from "../../support/engine/scene.js";

it("code that asks for its signal only after an error of it has ended its attempt finds it aborted", async () => {
  const scene = openScene({ note: z.object({ text: z.string() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const seen: boolean[] = [];
  const workflow = service(() => (
    <Workflow name="w">
      <Task id="t" output={outputs.note} noRetry>
        {async (_inputs, runtime) => {
          // As the process does with an uncaught error.
          currentAttempt()?.uncaught(new Error("left behind"));
          seen.push(runtime.signal.aborted);
          return { text: "too late" };
        }}
      </Task>
    </Workflow>
  ));
  expect(await scene.run(workflow)).toMatchObject({ status: "failed", error: { message: "left behind" } });
  expect(seen).toEqual([true]);
});
