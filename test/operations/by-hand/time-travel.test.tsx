import { completeTask, createService, forkRun, getNode, rewindRun, runWorkflow, ServiceDb } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

const at = { runId: "run", nodeId: "one" };

/** A run whose first task failed, was completed by hand, and which has finished. */
async function completed() {
  const api = createService(
    { input: z.object({}), output: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, outputs } = api;
  let isBroken = true;
  const workflow = api.service((ctx) => (
    <Workflow name="steps">
      <Sequence>
        <Task id="one" output={outputs.output} noRetry>
          {() => {
            if (isBroken) throw new Error("broken");
            return { n: 1 };
          }}
        </Task>
        <Task id="two" output={outputs.output}>
          {() => ({ n: ctx.output("output", { nodeId: "one" }).n + 1 })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  await completeTask(workflow, { ...at, output: { n: 40 } });
  await runWorkflow(workflow, { runId: "run", resume: true });
  isBroken = false;
  const { store } = new ServiceDb(api.db);
  const rows = async (runId: string) =>
    (await store.listOutputs(runId, "output")).map(({ nodeId, n }) => `${nodeId} ${n}`);
  const [given] = await store.listEvents("run", { types: ["NodeCompletedByHand"], limit: 1 });
  const shown = await store.listEvents("run", { types: ["FrameCommitted"], limit: 100 });
  const frames = shown.map(({ seq, event }) => ({
    seq,
    frameNo: event.type === "FrameCommitted" ? event.frameNo : 0,
  }));
  const after = frames.find(({ seq }) => seq > (given?.seq ?? 0))?.frameNo as number;
  return { workflow, rows, after };
}

it("a run that goes back behind a row given by hand does the task itself", async () => {
  const { workflow, rows } = await completed();
  expect(await rows("run")).toEqual(["one 40", "two 41"]);
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  expect((await getNode(workflow, at)).node.state).toBe("pending");
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(await rows("run")).toEqual(["one 1", "two 2"]);
});

it("a run that goes back to where it had the row keeps it, and so does a fork of that moment", async () => {
  const { workflow, rows, after } = await completed();
  await forkRun(workflow, { runId: "run", frameNo: after, newRunId: "fork" });
  expect(await rows("fork")).toEqual(["one 40"]);
  await runWorkflow(workflow, { runId: "fork", resume: true });
  expect(await rows("fork")).toEqual(["one 40", "two 41"]);
  await rewindRun(workflow, { runId: "run", frameNo: after });
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(await rows("run")).toEqual(["one 40", "two 41"]);
});

it("a task may be completed again once it is undone", async () => {
  const { workflow, rows } = await completed();
  await rewindRun(workflow, { runId: "run", frameNo: 1 });
  await completeTask(workflow, { ...at, output: { n: 70 } });
  await runWorkflow(workflow, { runId: "run", resume: true });
  expect(await rows("run")).toEqual(["one 70", "two 71"]);
});
