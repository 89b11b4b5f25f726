import { expect, it } from "vitest";
import { z } from "zod";
import { inspectRun } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";

/** A loop that a person has to end each round of, inside another, behind one that is over and before one that has not begun. */
async function loop() {
  const scene = openScene({ note: z.object({ text: z.string() }) });
  const { Workflow, Sequence, Loop, Task, Timer, service, outputs } = scene.api;
  const note = (id: string) => (
    <Task id={id} output={outputs.note}>
      {{ text: id }}
    </Task>
  );
  const workflow = service(() => (
    <Workflow name="loops">
      <Sequence>
        <Loop id="over" until={false} maxIterations={2} onMaxReached="return-last">
          {note("early")}
        </Loop>
        <Loop id="outer" until={false} maxIterations={Number.POSITIVE_INFINITY}>
          <Sequence>
            <Loop id="inner" until={false} onMaxReached="return-last">
              <Sequence>
                {note("draft")}
                <Timer id="pause" duration="10m" />
              </Sequence>
            </Loop>
          </Sequence>
        </Loop>
        <Loop id="later" until={false}>
          {note("late")}
        </Loop>
      </Sequence>
    </Workflow>
  ));
  await scene.run(workflow);
  return { ...scene, workflow };
}

it("names the loops that are under way with the round that each is in, and of how many", async () => {
  const { workflow, time, resume } = await loop();
  expect((await inspectRun(workflow, "run")).loops).toEqual([
    { id: "outer", round: 1, maxIterations: null },
    { id: "inner", round: 1, maxIterations: 5 },
  ]);
  await time.sleepThrough(600_000);
  await resume(workflow);
  expect((await inspectRun(workflow, "run")).loops).toMatchObject([{ round: 1 }, { id: "inner", round: 2 }]);
});
