import { runWorkflow } from "treadle";
import { expect, it } from "vitest";
import { type Blocks, type BlocksWorkflow, finalStates, openBlocks } from "../support/engine/blocks.js";

/** Runs until the run has failed, mends everything, resumes. */
async function resumed({ ran, broken }: Blocks, workflow: BlocksWorkflow) {
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("failed");
  broken.clear();
  ran.length = 0;
  const { status, error } = await runWorkflow(workflow, { runId: "run", resume: true });
  return { status, error, ran: [...ran], states: await finalStates(workflow) };
}

it("a saga that undoes nothing continues with the step that failed", async () => {
  const scene = openBlocks();
  scene.broken.add("do2");
  const end = await resumed(scene, scene.workflowOf(scene.saga("fail")));
  expect(end).toMatchObject({ status: "finished", ran: ["do2", "do3", "after"] });
  expect(end.states).toMatchObject({ do1: "finished", undo1: "skipped" });
});

it("a saga that had nothing to undo tries its first step again", async () => {
  const scene = openBlocks();
  scene.broken.add("do1");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "finished", ran: ["do1", "do2", "do3", "after"] });
});

it("a saga that has undone its steps stays failed, and nothing runs", async () => {
  const scene = openBlocks();
  scene.broken.add("do3");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "failed", ran: [], error: { message: "do3 is broken" } });
  expect(end.states).toMatchObject({ do1: "finished", do3: "failed", undo1: "finished", undo2: "finished" });
});

it("a compensation that failed stays failed, for the other actions are undone", async () => {
  const scene = openBlocks();
  scene.broken.add("do3").add("undo1");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "failed", ran: [] });
  expect(end.states).toMatchObject({ undo1: "failed", undo2: "finished" });
});

it("an error that was not caught is tried again, and then its finally", async () => {
  const scene = openBlocks();
  const { TryCatchFinally, Sequence } = scene.api;
  scene.broken.add("try");
  const workflow = scene.workflowOf(
    <TryCatchFinally
      id="block"
      try={
        <Sequence>
          {scene.task("try")}
          {scene.task("then")}
        </Sequence>
      }
      finally={scene.task("finally")}
    />,
  );
  const end = await resumed(scene, workflow);
  expect(end).toMatchObject({ status: "finished", ran: ["try", "then", "finally", "after"] });
  // What is stored is what was driven.
  expect(new Set(Object.values(end.states))).toEqual(new Set(["finished"]));
});

it("a block in a block without a catch is tried again as one", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try");
  const workflow = scene.workflowOf(
    <TryCatchFinally
      id="outer"
      try={<TryCatchFinally id="inner" try={scene.task("try")} finally={scene.task("tidy")} />}
      catch={scene.task("catch")}
      catchErrors={["SOMETHING_ELSE"]}
      finally={scene.task("finally")}
    />,
  );
  const end = await resumed(scene, workflow);
  expect(end).toMatchObject({ status: "finished", ran: ["try", "tidy", "finally", "after"] });
  expect(end.states.catch).toBe("skipped");
});

it("a failure that was dealt with is not tried again because of another one", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try").add("after");
  const workflow = scene.workflowOf(
    <TryCatchFinally id="block" try={scene.task("try")} catch={scene.task("catch")} />,
  );
  const end = await resumed(scene, workflow);
  expect(end).toMatchObject({ status: "finished", ran: ["after"] });
  expect(end.states).toMatchObject({ try: "failed", catch: "finished" });
});

it("a catch that failed stays failed", async () => {
  const scene = openBlocks();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try").add("catch");
  const workflow = scene.workflowOf(
    <TryCatchFinally id="block" try={scene.task("try")} catch={scene.task("catch")} />,
  );
  const end = await resumed(scene, workflow);
  expect(end).toMatchObject({ status: "failed", ran: [], states: { catch: "failed" } });
});
