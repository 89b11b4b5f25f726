import { expect, it } from "vitest";
import { z } from "zod";
import { getFrame, listFrames } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

it("the frame of a run is the newest one unless a number is given", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="growing">
      <Task id="first" output={outputs.row}>
        {{ n: 1 }}
      </Task>
      {ctx.outputs.row.length > 0 && (
        <Task id="second" output={outputs.row}>
          {{ n: 2 }}
        </Task>
      )}
    </Workflow>
  ));
  await scene.run(workflow);
  const [newest] = await listFrames(workflow, "run");
  const frame = await getFrame(workflow, "run");
  expect(frame.frameNo).toBe(newest?.frameNo);
  expect(frame.tasks.map(({ nodeId }) => nodeId)).toEqual(["first", "second"]);
  expect((await getFrame(workflow, "run", 1)).tasks.map(({ nodeId }) => nodeId)).toEqual(["first"]);
  await expect(getFrame(workflow, "run", 999)).rejects.toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
});
