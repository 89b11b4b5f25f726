import { expect, it } from "vitest";
import { flow, openHotScene } from "./support/hot-scene.js";

const CHILD = `const inner = createService({ output: row() });
const child = inner.service(({ input }) => (
  <inner.Workflow name="child">
    <inner.Task id="say" output={inner.outputs.output}>{() => ({ text: input.text })}</inner.Task>
  </inner.Workflow>
));`;
const use = (id: string) =>
  `<inner.Subflow key="${id}" id="${id}" mode="inline" workflow={child} input={{ text: "${id}" }} output={outputs.out} />`;
const schemas = "{ out: row(), output: row() }";
const saved = (before: string, after: string) => flow({ imports: CHILD, schemas, before, after });

it("a save that puts another use of an inline subflow in front of those that are there leaves their ids as they are", async () => {
  const scene = await openHotScene({ "flow.tsx": saved(use("one"), use("two")) });
  await scene.start();
  scene.save("flow.tsx", saved(use("zero") + use("one"), use("two")));
  const { changes } = await scene.next("WorkflowReloaded");
  expect(changes).toEqual([
    { nodeId: "zero/say", change: "added" },
    { nodeId: "zero", change: "added" },
  ]);
  expect((await scene.finish()).status).toBe("finished");
  const said = await Promise.all(["say", "two/say", "zero/say"].map((id) => scene.node(id)));
  expect(said.map((node) => [node?.nodeId, node?.state, node?.lastAttempt])).toEqual([
    ["say", "finished", 1],
    ["two/say", "finished", 1],
    ["zero/say", "finished", 1],
  ]);
  expect(await scene.row("two")).toEqual({ text: "two" });
});

it("a save that takes the first use away leaves the others as they are", async () => {
  const scene = await openHotScene({ "flow.tsx": saved(use("one"), use("two")) });
  await scene.start();
  scene.save("flow.tsx", saved("", use("two")));
  expect((await scene.next("WorkflowReloaded")).changes).toEqual([
    { nodeId: "say", change: "removed" },
    { nodeId: "one", change: "removed" },
  ]);
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.row("two")).toEqual({ text: "two" });
});
