import type { ReactNode } from "react";
import { createService, listNodes, runWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

/** Tasks that fail while their id is in `broken`; `ran` says what ran since it was last emptied. */
function open() {
  const ran: string[] = [];
  const broken = new Set<string>();
  const api = createService(
    { input: z.object({}), row: z.object({ id: z.string() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, service, outputs } = api;
  const task = (id: string) => (
    <Task key={id} id={id} output={outputs.row} noRetry>
      {() => {
        ran.push(id);
        if (broken.has(id)) throw new Error(`${id} is broken`);
        return { id };
      }}
    </Task>
  );
  const workflowOf = (tree: ReactNode) =>
    service(() => (
      <Workflow name="blocks">
        <Sequence>
          {task("before")}
          {tree}
          {task("after")}
        </Sequence>
      </Workflow>
    ));
  const saga = (onFailure: "compensate-and-fail" | "fail") => (
    <api.Saga id="saga" onFailure={onFailure}>
      {["1", "2", "3"].map((n) => (
        <api.SagaStep key={n} id={n} compensation={task(`undo${n}`)}>
          {task(`do${n}`)}
        </api.SagaStep>
      ))}
    </api.Saga>
  );
  return { api, ran, broken, task, workflowOf, saga };
}

async function states(workflow: Parameters<typeof listNodes>[0]) {
  const rows = await listNodes(workflow, "run");
  return Object.fromEntries(rows.map(({ nodeId, state }) => [nodeId, state]));
}

/** Runs until the run has failed, mends everything, resumes. */
async function resumed(
  { ran, broken }: ReturnType<typeof open>,
  workflow: ReturnType<ReturnType<typeof open>["workflowOf"]>,
) {
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("failed");
  broken.clear();
  ran.length = 0;
  const { status, error } = await runWorkflow(workflow, { runId: "run", resume: true });
  return { status, error, ran: [...ran], states: await states(workflow) };
}

it("a saga that undoes nothing goes on with the step that failed", async () => {
  const scene = open();
  scene.broken.add("do2");
  const end = await resumed(scene, scene.workflowOf(scene.saga("fail")));
  expect(end).toMatchObject({ status: "finished", ran: ["do2", "do3", "after"] });
  expect(end.states).toMatchObject({ do1: "finished", undo1: "skipped" });
});

it("a saga that had nothing to undo tries its first step again", async () => {
  const scene = open();
  scene.broken.add("do1");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "finished", ran: ["do1", "do2", "do3", "after"] });
});

it("a saga that has undone its steps stays failed, and nothing runs", async () => {
  const scene = open();
  scene.broken.add("do3");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "failed", ran: [], error: { message: "do3 is broken" } });
  expect(end.states).toMatchObject({ do1: "finished", do3: "failed", undo1: "finished", undo2: "finished" });
});

it("a compensation that failed stays failed, for the other actions are undone", async () => {
  const scene = open();
  scene.broken.add("do3").add("undo1");
  const end = await resumed(scene, scene.workflowOf(scene.saga("compensate-and-fail")));
  expect(end).toMatchObject({ status: "failed", ran: [] });
  expect(end.states).toMatchObject({ undo1: "failed", undo2: "finished" });
});

it("an error that was not caught is tried again, and then its finally", async () => {
  const scene = open();
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

it("a block in a block that nobody catches is tried again as one", async () => {
  const scene = open();
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
  const scene = open();
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
  const scene = open();
  const { TryCatchFinally } = scene.api;
  scene.broken.add("try").add("catch");
  const workflow = scene.workflowOf(
    <TryCatchFinally id="block" try={scene.task("try")} catch={scene.task("catch")} />,
  );
  const end = await resumed(scene, workflow);
  expect(end).toMatchObject({ status: "failed", ran: [], states: { catch: "failed" } });
});
