import { expect, it } from "vitest";
import { z } from "zod";
import type { AttemptJob, TaskDispatcher } from "../../../src/engine/ports.js";
import { runWith } from "../../../src/operations/drive/run-with.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ n: z.number() }) };

it("an attempt that another process executes says in its row where, and until when", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const { dispatcher: here } = scene.services;
  const elsewhere: TaskDispatcher = {
    dispatch(job, link, run) {
      link.report({ type: "placed", at: { queue: "large" } });
      link.report({ type: "placed", at: { ownerId: "worker", leaseExpiresAtMs: 60_000 } });
      return here.dispatch(job, link, run);
    },
    score: (job) => here.score(job),
  };
  const workflow = service(() => (
    <Workflow name="placed">
      <Task id="work" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  await scene.store.prepare();
  const services = { ...scene.services, dispatcher: elsewhere };
  await scene.time.until(runWith(services, workflow, { runId: "run", input: {} }));
  expect(await scene.attempts("work")).toMatchObject([
    { state: "finished", queue: "large", ownerId: "worker", leaseExpiresAtMs: 60_000 },
  ]);
});

it("a job is JSON that names the task, the code that it means, and its deadline", async () => {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const { dispatcher: here } = scene.services;
  const jobs: AttemptJob[] = [];
  const noting: TaskDispatcher = {
    dispatch(job, link, run) {
      jobs.push(job);
      return here.dispatch(job, link, run);
    },
    score: (job) => here.score(job),
  };
  const workflow = service(() => (
    <Workflow name="noted">
      <Task id="work" output={outputs.row} timeoutMs={5_000}>
        {() => ({ n: 1 })}
      </Task>
    </Workflow>
  ));
  await scene.store.prepare();
  const startedAtMs = scene.time.now();
  const services = { ...scene.services, dispatcher: noting };
  await scene.time.until(runWith(services, workflow, { runId: "run", input: {} }));
  const fingerprint = (await scene.node("work"))?.fingerprint;
  const named = { runId: "run", nodeId: "work", iteration: 0, attempt: 1, kind: "compute", fingerprint };
  expect(jobs).toMatchObject([{ ...named, deadlineAtMs: startedAtMs + 5_000 }]);
  expect(JSON.parse(JSON.stringify(jobs))).toEqual(jobs);
});
