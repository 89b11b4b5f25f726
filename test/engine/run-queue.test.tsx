import { expect, it } from "vitest";
import { z } from "zod";
import type { TaskDispatcher } from "../../src/engine/ports.js";
import { forkRun, type RunOptions, runWorkflow } from "../../src/index.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import { openScene } from "../support/engine/scene.js";

const note = z.object({ text: z.string() });
const schemas = { note, output: note };

/** A run with a wait, and the queue of each job that it gives to its dispatcher, by the task's id. */
function watched() {
  const scene = openScene(schemas);
  const { Workflow, Task, Timer, outputs, service } = scene.api;
  const queues: Record<string, string | null> = {};
  const { dispatcher: here } = scene.services;
  const dispatcher: TaskDispatcher = {
    dispatch(job, link, run) {
      queues[job.nodeId] = job.queue;
      return here.dispatch(job, link, run);
    },
    score: (job) => here.score(job),
  };
  const work = () => ({ text: "done" });
  const workflow = service(() => (
    <Workflow name="queued">
      <Task id="named" output={outputs.note} queue="small" children={work} />
      <Task id="unnamed" output={outputs.note} children={work} />
      <Timer id="pause" duration="1h" />
      <Task id="later" output={outputs.note} children={work} />
    </Workflow>
  ));
  const drive = (options: RunOptions) => {
    scene.time.moveTo(scene.time.now() + 3_600_000);
    return runWith({ ...scene.services, dispatcher }, workflow, { runId: "run", ...options });
  };
  return { ...scene, workflow, drive, queues };
}

it("a run's queue is that of its tasks that name none, also after a resume that does not give it", async () => {
  const { drive, queues } = watched();
  expect((await drive({ queue: "large" })).status).toBe("waiting-timer");
  expect(queues).toMatchObject({ named: "small", unnamed: "large" });
  expect((await drive({ resume: true })).status).toBe("finished");
  expect(queues["later"]).toBe("large");
});

it("a resume may give another queue", async () => {
  const { drive, queues } = watched();
  await drive({ queue: "large" });
  await drive({ resume: true, queue: "spare" });
  expect(queues).toMatchObject({ unnamed: "large", later: "spare" });
});

it("without one, tasks that name none have none", async () => {
  const { drive, queues } = watched();
  await drive({});
  expect(queues).toMatchObject({ named: "small", unnamed: null });
});

it("a fork has the queue of the run that it was made of", async () => {
  const { drive, workflow, store } = watched();
  await drive({ queue: "large" });
  const { runId } = (await forkRun(workflow, { runId: "run" })) as { runId: string };
  expect((await store.getRun(runId))?.config.queue).toBe("large");
});

it("child runs have the queue of their parent, and so have the runs that it continues as", async () => {
  const { store, api } = openScene(schemas);
  const { Workflow, Sequence, Task, Loop, Subflow, outputs, service } = api;
  const child = service(() => (
    <Workflow name="child">
      <Task id="work" output={outputs.output}>
        {{ text: "done" }}
      </Task>
    </Workflow>
  ));
  const parent = service(() => (
    <Workflow name="parent">
      <Loop id="rounds" maxIterations={2} continueAsNewEvery={1}>
        <Sequence>
          <Subflow id="sub" workflow={child} output={outputs.note} />
        </Sequence>
      </Loop>
    </Workflow>
  ));
  const { runId, status } = await runWorkflow(parent, { runId: "run", queue: "large" });
  expect(status).toBe("finished");
  expect(runId).not.toBe("run");
  const runs = await store.listRuns({ limit: 10 });
  expect(runs.map(({ config }) => config.queue)).toEqual(runs.map(() => "large"));
  expect(runs.length).toBeGreaterThan(2);
});

it("what is no name of a queue is refused before a run is made", async () => {
  const { workflow, store } = watched();
  const refused = runWorkflow(workflow, { runId: "run", queue: "two words" });
  await expect(refused).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("up to 40 letters"),
    details: { option: "queue" },
  });
  expect(await store.getRun("run")).toBeUndefined();
});
