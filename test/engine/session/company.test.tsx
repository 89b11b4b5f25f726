import { runWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ n: z.number() }), output: z.object({ n: z.number() }) };

/** Runs whose task is at work until it is let end. */
function scene() {
  const { api, store } = openScene(schemas);
  const { Workflow, Task, Subflow, outputs, service } = api;
  const gates = new Map<string, ReturnType<typeof deferred<void>>>();
  const begun = new Map<string, ReturnType<typeof deferred<void>>>();
  const gateOf = (all: typeof gates, runId: string) => {
    const known = all.get(runId) ?? deferred<void>();
    all.set(runId, known);
    return known;
  };
  const plain = service(() => (
    <Workflow name="plain">
      <Task id="work" output={outputs.output}>
        {async (_inputs, { runId }) => {
          gateOf(begun, runId).resolve();
          await gateOf(gates, runId).promise;
          return { n: 1 };
        }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Subflow id="child" workflow={plain} output={outputs.row} />
    </Workflow>
  ));
  return {
    plain,
    parent,
    async start(workflow: typeof plain, runId: string, working = runId) {
      const ended = runWorkflow(workflow, { runId, input: {} });
      await gateOf(begun, working).promise;
      return { ended };
    },
    finish: (runId: string) => gateOf(gates, runId).resolve(),
    inCompany: async (runId: string) => (await store.getRun(runId))?.inCompany,
  };
}

it("a run that is at work with its child runs only is not in company", async () => {
  const { parent, start, finish, inCompany } = scene();
  const { ended } = await start(parent, "parent", "parent:child:0");
  expect([await inCompany("parent"), await inCompany("parent:child:0")]).toEqual([false, false]);
  finish("parent:child:0");
  await ended;
});

it("before a run's first task begins, it and all that are at work say so", async () => {
  const { plain, parent, start, finish, inCompany } = scene();
  const first = await start(parent, "parent", "parent:child:0");
  const second = await start(plain, "second");
  const all = ["parent", "parent:child:0", "second"];
  expect(await Promise.all(all.map(inCompany))).toEqual([true, true, true]);
  for (const runId of all) finish(runId);
  await Promise.all([first.ended, second.ended]);
  const third = await start(plain, "third");
  expect(await inCompany("third"), "the others have ended").toBe(false);
  finish("third");
  await third.ended;
});
