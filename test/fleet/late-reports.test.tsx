import { afterAll, beforeAll, expect, it } from "vitest";
import { createServicePostgres, runWorkflow, ServiceDb } from "treadle";
import { z } from "zod";
import type { AgentQuestion } from "../../src/model/agent-question.js";
import type { FleetStore } from "../../src/store/fleet-contract.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

const finishedWith = (n: number) =>
  JSON.stringify({
    type: "completed",
    outcome: { kind: "finished", columns: [n], cached: false, record: {} },
  });

/** What the worker's agent was asked. */
const asked: AgentQuestion = {
  nodeId: "far",
  iteration: 0,
  attempt: 2,
  questionNo: 1,
  agentId: "distant",
  askedAtMs: 1,
  schemaRetry: 0,
  mode: "native",
  prompt: "How many?",
  leftOutBytes: 0,
  instructions: null,
  messagesJson: null,
  leftOutMessages: 0,
  schemaJson: "{}",
};

it("a worker that was silent has lost its attempt: it may not begin, and what it reports is refused", async () => {
  const api = await createServicePostgres(
    { output: z.object({ n: z.number() }) },
    { connectionString: database.url },
  );
  const { Workflow, Task, outputs } = api;
  const workflow = api.service(() => (
    <Workflow name="late">
      <Task id="far" output={outputs.output} queue="large" retries={0}>
        {() => ({ n: 0 })}
      </Task>
    </Workflow>
  ));
  const running = runWorkflow(workflow, { runId: "late", input: {} });
  const fleet = new ServiceDb(api.db).store.fleet as FleetStore;
  const dispatched = async () => {
    const rows = await query(database.url, "SELECT id, attempt FROM _service_dispatches").catch(() => []);
    return rows.map(([id, attempt]) => ({ id: id as string, attempt: Number(attempt) }));
  };
  await expect.poll(dispatched).toMatchObject([{ attempt: 1 }]);
  const [first] = await dispatched();
  const one = first?.id ?? "";

  // Only one of two workers gets it, also when both are told of it.
  expect(await fleet.claim(one, "silent")).toContain('"nodeId":"far"');
  expect(await fleet.claim(one, "other")).toBeUndefined();
  expect(await fleet.isHeld(one, "silent")).toBe(true);

  // It gives no sign of life, so its attempt goes to the next one.
  await expect.poll(dispatched).toMatchObject([{ attempt: 2 }]);
  expect(await fleet.isHeld(one, "silent")).toBe(false);
  expect(await fleet.report("silent", [{ dispatchId: one, seq: 1, body: finishedWith(1) }])).toBe(false);
  expect(await fleet.claim(one, "silent")).toBeUndefined();

  const [second] = await dispatched();
  const two = second?.id ?? "";
  const lively = { id: "lively", name: "lively", queues: ["large"], workflows: [], concurrency: 1 };
  await fleet.beat({ ...lively, isDriving: false, running: 1, isDraining: false });
  await fleet.claim(two, "lively");
  const last = [
    { dispatchId: two, seq: 1, body: JSON.stringify({ type: "asked", question: asked }) },
    { dispatchId: two, seq: 2, body: finishedWith(2) },
  ];
  expect(await fleet.report("lively", last)).toBe(true);
  // Its answer was lost, say: said again, it counts once.
  await fleet.report("lively", last);
  expect(await running).toMatchObject({ status: "finished", output: { n: 2 } });
  expect(await query(database.url, "SELECT attempt, state FROM _service_attempts ORDER BY attempt")).toEqual([
    ["1", "interrupted"],
    ["2", "finished"],
  ]);
  // What it was asked comes with its outcome.
  const { store } = new ServiceDb(api.db);
  expect(await store.getQuestion("late", asked)).toEqual(asked);
  await api.close();
});
