import { join } from "node:path";
import {
  approvalDecision,
  approveNode,
  cancelRun,
  createService,
  denyNode,
  explainRun,
  getRun,
  pruneRuns,
  runWorkflow,
  ServiceDb,
  type ServiceWorkflow,
  signalRun,
} from "treadle";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openExisting } from "../../src/store/open-existing.js";
import { storeOf } from "../../src/operations/request/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A parent, and a child with an input and rows that the parent's schemas know nothing of. */
function family() {
  const folder = temporaryFolder("schemas");
  const dbPath = join(folder, "runs.db");
  const below = createService(
    {
      input: z.object({ topic: z.string(), depth: z.int() }),
      note: z.object({ lines: z.array(z.string()), size: z.int() }),
      go: z.object({ by: z.string() }),
    },
    { dbPath },
  );
  const child = below.service(() => (
    <below.Workflow name="child">
      <below.Sequence>
        <below.Task id="read" output={below.outputs.note}>
          {{ lines: ["one"], size: 1 }}
        </below.Task>
        <below.Signal id="go" schema={below.outputs.go} />
      </below.Sequence>
    </below.Workflow>
  ));
  const above = createService(
    {
      input: z.object({ title: z.string() }),
      note: z.object({ text: z.string() }),
      decision: approvalDecision,
    },
    { dbPath },
  );
  const { Workflow, TryCatchFinally, Parallel, Subflow, Approval, Task, outputs } = above;
  const parent = above.service(() => (
    <Workflow name="parent">
      <TryCatchFinally
        id="try"
        try={
          <Parallel>
            <Subflow id="sub" workflow={child} output={outputs.note} input={{ topic: "tea", depth: 2 }} />
            <Approval id="gate" output={outputs.decision} request={{ title: "On?" }} onDeny="fail" />
          </Parallel>
        }
        catch={
          <Task id="instead" output={outputs.note}>
            {{ text: "given up" }}
          </Task>
        }
      />
    </Workflow>
  ));
  return { parent, child };
}

async function started() {
  const scene = family();
  const { status } = await runWorkflow(scene.parent, { runId: "run", input: { title: "t" } });
  expect(status).toBe("waiting-approval");
  return scene;
}

async function childOf(workflow: ServiceWorkflow) {
  const run = await (await storeOf(workflow)).getRun("run:sub:0");
  return { status: run?.status, ownerId: run?.ownerId };
}

test("a parent that is cancelled ends a child of other schemas", async () => {
  const { parent } = await started();
  await cancelRun(parent, { runId: "run" });
  expect(await childOf(parent)).toEqual({ status: "cancelled", ownerId: null });
});

test("a block that gives a child of other schemas up continues with its catch", async () => {
  const { parent } = await started();
  await denyNode(parent, { runId: "run", nodeId: "gate" });
  const { status } = await runWorkflow(parent, { runId: "run", resume: true });
  expect(status).toBe("finished");
  expect(await childOf(parent)).toEqual({ status: "cancelled", ownerId: null });
});

test("a child of other schemas is explained, shown and cancelled through its parent's workflow", async () => {
  const { parent } = await started();
  expect((await explainRun(parent, "run:sub:0")).blockers).toMatchObject([{ nodeId: "go" }]);
  expect((await getRun(parent, "run:sub:0")).nodes).toMatchObject({ finished: 1 });
  await signalRun(parent, { runId: "run:sub:0", signal: "go", data: { by: "ada" } });
  await cancelRun(parent, { runId: "run:sub:0" });
  expect(await childOf(parent)).toEqual({ status: "cancelled", ownerId: null });
});

test("a family of several schemas is pruned as a whole", async () => {
  const { parent, child } = await started();
  await cancelRun(parent, { runId: "run" });
  const pruned: string[] = [];
  // Runs of this very millisecond are not older than now.
  while (pruned.length < 2) pruned.push(...(await pruneRuns(parent, { olderThanMs: 0 })).runIds);
  expect(pruned.sort()).toEqual(["run", "run:sub:0"]);
  expect(await (await storeOf(child)).readOutput("run:sub:0", "read", 0)).toBeUndefined();
});

test.each([
  ["its parent's workflow", ({ parent }: ReturnType<typeof family>) => parent],
  ["a bare ServiceDb", ({ parent }: ReturnType<typeof family>) => new ServiceDb(openStored(parent))],
])("a signal that only the child's schema knows reaches it through %s", async (_what, targetOf) => {
  const scene = await started();
  const signal = { runId: "run:sub:0", signal: "go", data: { by: "ada" } };
  await signalRun(targetOf(scene), signal);
  await runWorkflow(scene.child, { runId: "run:sub:0", resume: true });
  expect((await childOf(scene.parent)).status).toBe("finished");
});

test("data that does not fit is refused where the schema is the run's own", async () => {
  const { child } = await started();
  const sent = signalRun(child, { runId: "run:sub:0", signal: "go", data: { by: 7 } });
  await expect(sent).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

function openStored(workflow: ServiceWorkflow) {
  const store = openExisting(new ServiceDb(workflow.db).path);
  onTestFinished(() => store.close());
  return store;
}

test("what does not fit is refused without the code of the child run too, and nothing is kept", async () => {
  const scene = await started();
  const bare = new ServiceDb(openStored(scene.parent));
  const signal = { runId: "run:sub:0", signal: "go", data: { by: 7 } };
  for (const target of [bare, scene.parent, scene.child]) {
    await expect(signalRun(target, signal)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
  expect(await bare.store.pendingIntents("run:sub:0")).toEqual([]);
});

test("a family of several schemas finishes", async () => {
  const { parent, child } = await started();
  await signalRun(child, { runId: "run:sub:0", signal: "go", data: { by: "ada" } });
  await approveNode(parent, { runId: "run", nodeId: "gate" });
  await runWorkflow(parent, { runId: "run", resume: true });
  expect((await childOf(parent)).status).toBe("finished");
});
