import { retryTask, runWorkflow } from "treadle";
import { expect, it } from "vitest";
import { type Blocks, type BlocksWorkflow, finalStates, openBlocks } from "../../support/engine/blocks.js";

/** Runs, mends what was broken, retries, resumes; what ran from the retry on. */
async function retried({ ran, broken }: Blocks, workflow: BlocksWorkflow, nodeId: string) {
  await runWorkflow(workflow, { runId: "run", input: {} });
  broken.clear();
  ran.length = 0;
  await retryTask(workflow, { runId: "run", nodeId });
  const { status } = await runWorkflow(workflow, { runId: "run", resume: true });
  return { status, ran: [...ran], states: await finalStates(workflow) };
}

it("a step of a saga that went well runs again with the steps after it", async () => {
  const scene = openBlocks();
  const { status, ran, states } = await retried(scene, scene.workflowOf(scene.saga()), "do2");
  expect(status).toBe("finished");
  expect(ran).toEqual(["do2", "do3", "after"]);
  expect(states).toMatchObject({ do1: "finished", undo1: "skipped", undo2: "skipped", after: "finished" });
});

it("a step that fails when it is retried is what the saga undoes the others for", async () => {
  const scene = openBlocks();
  const workflow = scene.workflowOf(scene.saga());
  await runWorkflow(workflow, { runId: "run", input: {} });
  scene.broken.add("do2");
  scene.ran.length = 0;
  await retryTask(workflow, { runId: "run", nodeId: "do2" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(scene.ran).toEqual(["do2", "undo1", "after"]);
  expect(await finalStates(workflow)).toMatchObject({ do2: "failed", do3: "skipped", undo1: "finished" });
});

it("the first undone action of a saga runs again with everything after it, and nothing stays undone", async () => {
  const scene = openBlocks();
  scene.broken.add("do3");
  const { status, ran, states } = await retried(scene, scene.workflowOf(scene.saga()), "do1");
  expect(status).toBe("finished");
  expect(ran).toEqual(["do1", "do2", "do3", "after"]);
  expect(states).toMatchObject({ do3: "finished", undo1: "skipped", undo2: "skipped" });
});

it.each(["do3", "do2"])("%s alone is refused once the saga has undone what was before it", async (nodeId) => {
  const scene = openBlocks();
  scene.broken.add("do3");
  const workflow = scene.workflowOf(scene.saga());
  await runWorkflow(workflow, { runId: "run", input: {} });
  const before = await finalStates(workflow);
  for (const dryRun of [true, false]) {
    expect(await retryTask(workflow, { runId: "run", nodeId, dryRun })).toMatchObject({
      success: false,
      resetNodes: [],
      code: "INVALID_INPUT",
      error: expect.stringContaining(
        "Saga saga has undone do1, which would not run again. Retry do1 instead: the saga then runs again from there.",
      ),
    });
  }
  expect(await finalStates(workflow)).toEqual(before);
});

it("a step of a saga that undoes nothing can be retried wherever it failed", async () => {
  const scene = openBlocks();
  scene.broken.add("do2");
  const { status, ran } = await retried(scene, scene.workflowOf(scene.saga("fail")), "do2");
  expect(status).toBe("finished");
  expect(ran).toEqual(["do2", "do3", "after"]);
});

it("a compensation that is retried runs again with those after it", async () => {
  const scene = openBlocks();
  scene.broken.add("do3");
  const { ran, states } = await retried(scene, scene.workflowOf(scene.saga()), "undo2");
  expect(ran).toEqual(["undo2", "undo1", "after"]);
  expect(states).toMatchObject({ do3: "failed", undo1: "finished", undo3: "skipped" });
});

it.each(["element", "function"])(
  "a caught failure is tried again and its catch, an %s, is taken back",
  async (kind) => {
    const scene = openBlocks();
    const { TryCatchFinally, Parallel, Sequence } = scene.api;
    scene.broken.add("try");
    const workflow = scene.workflowOf(
      <TryCatchFinally
        id="block"
        try={
          <Parallel>
            <Sequence>
              {scene.task("try")}
              {scene.task("then")}
            </Sequence>
            {scene.task("beside")}
          </Parallel>
        }
        catch={kind === "element" ? scene.task("catch") : () => scene.task("catch")}
        finally={scene.task("finally")}
      />,
    );
    const { status, ran, states } = await retried(scene, workflow, "try");
    expect(status).toBe("finished");
    expect(ran).toEqual(["try", "then", "finally", "after"]);
    expect(states).toMatchObject({ beside: "finished", then: "finished" });
    expect(["skipped", "cancelled", "pending"]).toContain(states.catch);
  },
);

it("a task in front of a block runs again with the whole block", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try");
  const workflow = scene.workflowOf(
    <TryCatchFinally
      id="block"
      try={scene.task("try")}
      catch={scene.task("catch")}
      finally={scene.task("finally")}
    />,
  );
  const { ran, states } = await retried(scene, workflow, "before");
  expect(ran).toEqual(["before", "try", "finally", "after"]);
  expect(states.catch).toBe("skipped");
});

it("a catch and a finally that went well can be retried by themselves", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try");
  const workflow = scene.workflowOf(
    <TryCatchFinally
      id="block"
      try={scene.task("try")}
      catch={scene.task("catch")}
      finally={scene.task("finally")}
    />,
  );
  expect((await retried(scene, workflow, "catch")).ran).toEqual(["catch", "finally", "after"]);
  scene.ran.length = 0;
  await retryTask(workflow, { runId: "run", nodeId: "finally" });
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(scene.ran).toEqual(["finally", "after"]);
});

it.each([
  ["nothing has failed", [], undefined, ["close", "after"], "finished"],
  ["the error is not one that is caught", ["work"], ["OTHER"], ["close"], "failed"],
] as const)(
  "a catch is not run by a retry of it where %s",
  async (_why, broken, catchErrors, ran, status) => {
    const scene = openBlocks();
    const { TryCatchFinally } = scene.api;
    const { task } = scene;
    for (const id of broken) scene.broken.add(id);
    const workflow = scene.workflowOf(
      <TryCatchFinally
        id="try"
        try={task("work")}
        catch={task("mend")}
        finally={task("close")}
        {...(catchErrors !== undefined && { catchErrors })}
      />,
    );
    const result = await retried(scene, workflow, "mend");
    expect(result).toMatchObject({ status, ran, states: { mend: "skipped", close: "finished" } });
  },
);

it("a saga that undoes nothing does not because a compensation is retried", async () => {
  const scene = openBlocks();
  scene.broken.add("do2");
  const result = await retried(scene, scene.workflowOf(scene.saga("fail")), "undo1");
  expect(result).toMatchObject({ status: "failed", ran: [], states: { do2: "failed", undo1: "skipped" } });
});

it("a catch that failed is not retried by itself", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try").add("catch");
  const workflow = scene.workflowOf(
    <TryCatchFinally id="block" try={scene.task("try")} catch={scene.task("catch")} />,
  );
  await runWorkflow(workflow, { runId: "run", input: {} });
  expect(await retryTask(workflow, { runId: "run", nodeId: "catch" })).toMatchObject({
    success: false,
    code: "INVALID_INPUT",
  });
  scene.broken.clear();
  await retryTask(workflow, { runId: "run", nodeId: "try" });
  scene.ran.length = 0;
  expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(scene.ran).toEqual(["try", "after"]);
});

it("a loop that a failure in its block has ended continues with its rounds", async () => {
  const scene = openBlocks();
  const { TryCatchFinally, Loop } = scene.api;
  scene.broken.add("work");
  const workflow = scene.workflowOf(
    <TryCatchFinally
      id="block"
      try={
        <Loop id="loop" maxIterations={3}>
          {scene.task("work")}
        </Loop>
      }
      catch={scene.task("catch")}
    />,
  );
  const { ran } = await retried(scene, workflow, "work");
  expect(ran).toEqual(["work", "work", "work", "after"]);
});

it("a task of a block that is over is not reset without what came after it", async () => {
  const scene = openBlocks();
  const workflow = scene.workflowOf(scene.saga());
  await runWorkflow(workflow, { runId: "run", input: {} });
  expect(await retryTask(workflow, { runId: "run", nodeId: "do2", resetDependents: false })).toMatchObject({
    success: false,
    code: "INVALID_INPUT",
  });
  expect((await finalStates(workflow)).do2).toBe("finished");
});
