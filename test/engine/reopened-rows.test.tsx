import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const schemas = { output: z.object({ ok: z.boolean() }) };

it("a failed run that is resumed stores at once that its failed tasks are open, those too that wait for a slot", async () => {
  const scene = openScene(schemas);
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  let isBroken = true;
  const seen: Record<string, unknown>[] = [];
  const work = (id: string, other: string) => async () => {
    if (isBroken) throw new Error(`${id} is broken`);
    const { state } = (await scene.node(other)) ?? {};
    seen.push({ at: id, [other]: state });
    return { ok: true };
  };
  const workflow = service(() => (
    <Workflow name="two">
      <Parallel>
        <Task id="a" output={outputs.output} noRetry>
          {work("a", "b")}
        </Task>
        <Task id="b" output={outputs.output} noRetry>
          {work("b", "a")}
        </Task>
      </Parallel>
    </Workflow>
  ));
  await scene.run(workflow, { runId: "run", input: {} });
  expect([(await scene.node("a"))?.state, (await scene.node("b"))?.state]).toEqual(["failed", "failed"]);
  isBroken = false;
  const { status } = await scene.resume(workflow, { runId: "run", maxConcurrency: 1 });
  expect(status).toBe("finished");
  expect(seen).toEqual([
    { at: "a", b: "pending" },
    { at: "b", a: "finished" },
  ]);
});
