import { completeTask, createServicePostgres, getNode, runWorker, runWorkflow, skipTask } from "treadle";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { deferred } from "../../src/util/deferred.js";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

/** A run with a task for workers, which its first attempt holds until it is let go. */
async function driven(runId: string) {
  const api = await createServicePostgres(
    { output: z.object({ by: z.string() }) },
    { connectionString: database.url },
  );
  const { Workflow, Task, outputs } = api;
  const held = deferred<void>();
  const letGo = deferred<void>();
  const workflow = api.service(
    () => (
      <Workflow name={runId}>
        <Task id="far" output={outputs.output} queue={runId}>
          {async () => {
            held.resolve();
            await letGo.promise;
            return { by: "worker" };
          }}
        </Task>
      </Workflow>
    ),
    { workflowHash: runId },
  );
  const stop = new AbortController();
  const ends: Promise<unknown>[] = [];
  onTestFinished(async () => {
    letGo.resolve();
    stop.abort();
    await Promise.allSettled(ends);
    await api.close();
  });
  return {
    workflow,
    held,
    letGo,
    at: { runId, nodeId: "far" },
    drive() {
      const ended = runWorkflow(workflow, { runId, input: {}, signal: stop.signal });
      ends.push(ended);
      return ended;
    },
    work() {
      ends.push(runWorker({ [runId]: workflow }, { queues: [runId], drive: false, signal: stop.signal }));
    },
    stateOf: async () => (await getNode(workflow, { runId, nodeId: "far" }).catch(() => null))?.node.state,
  };
}

const output = { by: "hand" };

it("a task that waits for a worker, or that one holds, is neither completed nor skipped: its row is the worker's", async () => {
  const { workflow, held, letGo, at, drive, work, stateOf } = await driven("far-away");
  const refused = async () => {
    for (const act of [() => completeTask(workflow, { ...at, output }), () => skipTask(workflow, at)]) {
      await expect(act()).rejects.toMatchObject({ code: "NODE_IN_PROGRESS" });
    }
  };
  const ended = drive();
  await expect.poll(stateOf).toBe("in-progress");
  await refused();
  work();
  await held.promise;
  await refused();
  letGo.resolve();
  expect(await ended).toMatchObject({ status: "finished", output: { by: "worker" } });
});
