import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createServicePostgres, runWorker, runWorkflow } from "treadle";
import { z } from "zod";
import { startCutter } from "../support/postgres/cut-connection.js";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

async function fleet(connectionString: string, waitMs = 30_000) {
  const schemas = { output: z.object({ n: z.number() }) };
  const api = await createServicePostgres(schemas, { connectionString, waitMs });
  const { Workflow, Task, outputs } = api;
  const workflow = api.service(
    () => (
      <Workflow name="far">
        <Task id="far" output={outputs.output} queue="large" retries={0}>
          {() => ({ n: 1 })}
        </Task>
      </Workflow>
    ),
    { workflowHash: "one" },
  );
  onTestFinished(() => api.close());
  return workflow;
}

async function work(workflow: Awaited<ReturnType<typeof fleet>>) {
  const stop = new AbortController();
  const working = runWorker(
    { far: workflow },
    { queues: ["large"], concurrency: 1, drive: false, signal: stop.signal },
  );
  onTestFinished(async () => {
    stop.abort();
    await working;
  });
}

async function cutter() {
  const between = await startCutter(database.url);
  onTestFinished(() => between.close());
  return between;
}

const run = (workflow: Awaited<ReturnType<typeof fleet>>, runId: string) =>
  runWorkflow(workflow, { runId, input: {} });

it("a server that is lost while the queues are made fails no task", async () => {
  const between = await cutter();
  between.cutAt("pg_advisory_lock(7310598", "nobody");
  const running = run(await fleet(between.url), "first");
  await expect.poll(() => between.cuts).toBe(1);
  await work(await fleet(database.url));
  expect(await running).toMatchObject({ status: "finished", output: { n: 1 } });
});

it("a worker that could not tell the end of a job takes the next one all the same", async () => {
  const between = await cutter();
  await work(await fleet(between.url));
  const driver = await fleet(database.url);
  between.cutAt("complete_job/", "nobody");
  expect(await run(driver, "untold")).toMatchObject({ status: "finished" });
  await expect.poll(() => between.cuts).toBe(1);
  expect(await run(driver, "told")).toMatchObject({ status: "finished" });
});

it("a worker that cannot read the run gives its task back, which has not failed by that", async () => {
  const between = await cutter();
  await work(await fleet(between.url, 20));
  const driver = await fleet(database.url);
  between.cutAt("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "nobody", 3);
  expect(await run(driver, "unread")).toMatchObject({ status: "finished" });
  expect(between.cuts).toBeGreaterThan(0);
});
