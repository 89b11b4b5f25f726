import { expect, it } from "vitest";
import { flow, openHotScene, runWorkflow, ServiceDb, task } from "./support/hot-scene.js";

it("a later resume accepts the code that the run continued with, and refuses the code before", async () => {
  const scene = await openHotScene({ "flow.tsx": flow({ after: task("last", '"old"') }) });
  await scene.start();
  const before = await new ServiceDb(scene.workflow.db).store.getRun("run");
  scene.save("flow.tsx", flow({ before: task("fresh", '"new"'), after: task("last", '"new"') }));
  await scene.next("WorkflowReloaded");
  expect((await scene.stop()).status).toBe("running");

  const after = await new ServiceDb(scene.workflow.db).store.getRun("run");
  const saved = await scene.load();
  expect(after?.workflowHash).toBe(saved.opts.workflowHash);
  expect(after?.workflowHash).not.toBe(before?.workflowHash);
  const refused = runWorkflow(scene.workflow, { runId: "run", resume: true });
  await expect(refused).rejects.toMatchObject({ code: "RESUME_METADATA_MISMATCH" });
  scene.letGo();
  const { status } = await runWorkflow(saved, { runId: "run", resume: true });
  expect(status).toBe("finished");
  expect(await scene.row("last")).toEqual({ text: "new" });
});

it("a later resume has the imported files that the run continued with, and refuses those before", async () => {
  const imports = 'import { words } from "./lib.js";\n';
  const scene = await openHotScene({
    "lib.ts": 'export const words = "old";',
    "flow.tsx": flow({ imports, after: task("last", "words") }),
  });
  await scene.start();
  scene.save("lib.ts", 'export const words = "new";');
  await scene.next("WorkflowReloaded");
  await scene.stop();
  const refused = runWorkflow(scene.workflow, { runId: "run", resume: true });
  await expect(refused).rejects.toMatchObject({
    code: "RESUME_METADATA_MISMATCH",
    details: { files: [{ path: "lib.ts", change: "changed" }] },
  });
  const saved = await scene.load();
  scene.letGo();
  expect((await runWorkflow(saved, { runId: "run", resume: true })).status).toBe("finished");
  expect(await scene.row("last")).toEqual({ text: "new" });
});

it("a run that is resumed with hot reload watches the file that it was started with", async () => {
  const scene = await openHotScene({ "flow.tsx": flow({ after: task("last", '"old"') }) });
  await scene.start();
  await scene.stop();
  await scene.start({}, { resume: true, workflowPath: undefined });
  scene.save("flow.tsx", flow({ after: task("last", '"new"') }));
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
  expect(await scene.row("last")).toEqual({ text: "new" });
});

it("hot reload needs to know the file", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  const running = runWorkflow(scene.workflow, { runId: "other", hot: true });
  await expect(running).rejects.toMatchObject({ code: "INVALID_INPUT", details: { option: "workflowPath" } });
});
