import { expect, it } from "vitest";
import { z } from "zod";
import { getNode, listNodes, signalRun } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ n: z.number() }), go: z.object({ n: z.number() }) };

it("a task that has not begun is shown with the label of the newest frame, and its row is not written for it", async () => {
  const { api, run, resume, store } = openScene(schemas);
  const { Workflow, Sequence, Signal, Task, outputs, service } = api;
  const workflow = service((ctx) => {
    const done = ctx.outputs.row.length;
    return (
      <Workflow name="labelled">
        <Sequence>
          <Task id="first" output={outputs.row} label={`First, ${done} done`}>
            {{ n: 1 }}
          </Task>
          <Signal id="go" schema={outputs.go} label={`Wait, ${done} done`} />
          <Task id="second" output={outputs.row} label={`Second, ${done} done`}>
            {{ n: 2 }}
          </Task>
          <Task id="third" output={outputs.row} label={done === 0 ? "Third, soon" : undefined}>
            {{ n: 3 }}
          </Task>
        </Sequence>
      </Workflow>
    );
  });
  await run(workflow);
  const labels = async () => (await listNodes(workflow, "run")).map(({ label }) => label);
  expect(await labels()).toEqual(["First, 0 done", "Wait, 1 done", "Second, 1 done", null]);
  const stored = await store.getNode("run", "second");
  expect(stored?.label).toBe("Second, 0 done");
  expect((await getNode(workflow, { runId: "run", nodeId: "second" })).node).toEqual({
    ...stored,
    label: "Second, 1 done",
  });

  await signalRun(workflow, { runId: "run", signal: "go", data: { n: 0 } });
  await resume(workflow);
  expect(await labels()).toEqual(["First, 0 done", "Wait, 1 done", "Second, 1 done", null]);
  expect((await store.getNode("run", "second"))?.label).toBe("Second, 1 done");
  expect((await store.getNode("run", "third"))?.label).toBeNull();
});
