import { flow, openHotScene, runWorkflow, ServiceDb } from "./support/hot-scene.js";
import { expect, it } from "vitest";
import { loadWorkflow } from "../../src/loader/load-workflow.js";
import type { WorkflowDatabase } from "../../src/store/workflow-database.js";

const EXTRA = "z.object({ n: z.number() })";
const TASK = "<Task id='last' output={outputs.extra}>{() => ({ n: 1 })}</Task>";
const withExtra = (schema = EXTRA, rest = "") =>
  flow({ schemas: `{ out: row(), extra: ${schema}${rest} }`, after: TASK });

it("an output that the run does not have is added with its task, and a resume knows it", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  scene.save("flow.tsx", withExtra());
  const { changes } = await scene.next("WorkflowReloaded");
  expect(changes).toEqual([{ nodeId: "last", change: "added" }]);
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.node("last")).toMatchObject({ state: "finished", outputKey: "extra" });
  const workflow = await scene.load();
  const { store } = new ServiceDb(workflow.db);
  expect(await store.readOutput("run", "last", 0)).toMatchObject({ n: 1 });
  expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("finished");
  await store.close();
});

it("rows of a new output named output are the run's result", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  const schemas = `{ out: row(), output: ${EXTRA} }`;
  scene.save("flow.tsx", flow({ schemas, after: TASK.replace(".extra", ".output") }));
  await scene.next("WorkflowReloaded");
  expect(await scene.finish()).toMatchObject({ status: "finished", output: { n: 1 } });
});

it("it may go again and come back as it was, and no other than it was", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  scene.save("flow.tsx", withExtra());
  await scene.next("WorkflowReloaded");
  scene.save("flow.tsx", flow());
  await scene.next("WorkflowReloaded");
  scene.save("flow.tsx", withExtra("z.object({ n: z.number().min(1) })"));
  const { error } = await scene.next("WorkflowReloadUnsafe");
  expect(error.details).toMatchObject({ field: "extra.n", old: "number", new: "number (minimum 1)" });
  scene.save("flow.tsx", withExtra());
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
});

it("one of code that was refused may have any shape the next time", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  const broken = withExtra("z.object({ n: z.string() })").replace(
    "return (",
    'throw new Error("no"); return (',
  );
  scene.save("flow.tsx", broken);
  await scene.next("WorkflowReloadFailed");
  scene.save("flow.tsx", withExtra());
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.node("last")).toMatchObject({ state: "finished" });
});

it("one whose table would be that of another workflow is refused, and the run continues", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  (scene.workflow.db as WorkflowDatabase).run("CREATE TABLE extra (theirs TEXT)");
  scene.save("flow.tsx", withExtra());
  const { error } = await scene.next("WorkflowReloadFailed");
  expect(error.code).toBe("DB_MISSING_COLUMNS");
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.row("hold")).toEqual({ text: "held" });
});

it("one that the workflow has rows of in another shape is refused, and the run continues", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  const early = "<Task id='early' output={outputs.extra}>{() => ({ n: 'text' })}</Task>";
  const schemas = "{ out: row(), extra: z.object({ n: z.string() }) }";
  scene.save("former.tsx", flow({ schemas, held: early }));
  const former = (await loadWorkflow("former.tsx", { cwd: scene.folder })).workflow;
  expect((await runWorkflow(former, { runId: "former" })).status).toBe("finished");
  await new ServiceDb(former.db).store.close();
  await scene.start();
  scene.save("flow.tsx", flow({ schemas: `{ out: row(), extra: ${EXTRA} }` }));
  const { error } = await scene.next("WorkflowReloadFailed");
  expect(error.code).toBe("DB_SCHEMA_CONFLICT");
  scene.save(
    "flow.tsx",
    flow({ schemas, after: "<Task id='last' output={outputs.extra}>{() => ({ n: 'x' })}</Task>" }),
  );
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.row("last")).toEqual({ n: "x" });
});

it("one that another run of the workflow has taken up keeps its shape for every run beside it", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  const { store } = new ServiceDb(scene.workflow.db);
  await scene.start(true, { runId: "one" });
  scene.save("flow.tsx", withExtra());
  await scene.next("WorkflowReloaded");
  scene.save("flow.tsx", flow());
  await scene.next("WorkflowReloaded");
  await scene.start(true, { runId: "two" });
  scene.save("flow.tsx", withExtra("z.object({ n: z.string() })"));
  const refused = [await scene.next("WorkflowReloadUnsafe"), await scene.next("WorkflowReloadUnsafe")];
  expect(refused.map(({ runId }) => runId).sort()).toEqual(["one", "two"]);
  for (const { error } of refused) expect(error).toMatchObject({ code: "SCHEMA_CHANGE_HOT" });
  scene.save("flow.tsx", withExtra());
  await scene.next("WorkflowReloaded");
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
  await scene.next("RunFinished");
  await scene.next("RunFinished");
  for (const runId of ["one", "two"])
    expect(await store.readOutput(runId, "last", 0)).toMatchObject({ n: 1 });
});

it("an input is none: the run has begun with its own", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  scene.save("flow.tsx", flow({ schemas: "{ out: row(), input: z.object({ n: z.number() }) }" }));
  expect((await scene.next("WorkflowReloadUnsafe")).error.details).toMatchObject({ field: "input" });
  expect((await scene.finish()).status).toBe("finished");
});
