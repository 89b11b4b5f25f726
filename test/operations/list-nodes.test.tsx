import { expect, it } from "vitest";
import { z } from "zod";
import { listNodes } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

it("nodes come in the order of the last frame, with their iterations, and those that have left it last", async () => {
  const { api, run } = openScene(schemas);
  const { Workflow, Branch, Loop, Sequence, Task, outputs, service } = api;
  const step = (id: string) => (
    <Task key={id} id={id} output={outputs.step}>
      {{ n: 1 }}
    </Task>
  );
  const workflow = service((ctx) => (
    <Workflow name="ordered">
      {step("zebra")}
      <Branch if={ctx.outputs.step.length < 2} then={step("a-first")} else={step("yak")} />
      <Loop id="rounds" maxIterations={2}>
        <Sequence>
          {step("lion")}
          {step("cat")}
        </Sequence>
      </Loop>
      {step("ant")}
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("finished");
  const shown = (await listNodes(workflow, "run")).map(({ nodeId, iteration }) => `${nodeId} ${iteration}`);
  expect(shown).toEqual(["zebra 0", "yak 0", "lion 0", "lion 1", "cat 0", "cat 1", "ant 0", "a-first 0"]);
});
