import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createServicePostgres, runWorker, ServiceDb } from "treadle";
import { z } from "zod";
import { runWith } from "../../src/operations/drive/run-with.js";
import { drivingServices } from "../../src/operations/run-workflow.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

it("a process that drives a run and has its tasks hears itself, and waits for no look at the database", async () => {
  // What is done regularly never comes, nor, below, what the driver puts off: it would hear of everything in the end.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const api = await createServicePostgres(
    { output: z.object({ n: z.number() }) },
    { connectionString: database.url },
  );
  const { Workflow, Sequence, Task, outputs } = api;
  const workflow = api.service(
    () => (
      <Workflow name="own">
        <Sequence>
          {[1, 2].map((n) => (
            <Task key={n} id={`far-${n}`} output={outputs.output} queue="large">
              {() => ({ n })}
            </Task>
          ))}
        </Sequence>
      </Workflow>
    ),
    { workflowHash: "own" },
  );
  const stop = new AbortController();
  const working = runWorker({ own: workflow }, { queues: ["large"], drive: false, signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await working;
    await api.close();
  });
  const services = drivingServices(new ServiceDb(api.db).store, { clock: new VirtualClock(Date.now()) });
  const run = await runWith(services, workflow, { runId: "own", input: {} });
  expect(run).toMatchObject({ status: "finished", output: [{ n: 1 }, { n: 2 }] });
  const owners = "SELECT count(DISTINCT owner_id), count(*) FROM _service_attempts";
  expect(await query(database.url, owners)).toEqual([["1", "2"]]);
});
