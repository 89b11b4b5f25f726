import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { RunWrite } from "../../../src/store/contract.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { firstLease, newRun, schemas, step, T0 } from "../../conformance/store/fixtures.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

/** @param patience how long a session waits before it looks for a deadlock, which it then ends by giving up */
function urlWith(patience: string): string {
  const url = new URL(database.url);
  url.searchParams.set("options", `${url.searchParams.get("options")} -c deadlock_timeout=${patience}`);
  return url.href;
}

function open(): PostgresStore {
  const store = new PostgresStore({ connectionString: urlWith("500ms") }, deriveTables(schemas));
  onTestFinished(() => store.close());
  return store;
}

async function otherSession(): Promise<pg.Client> {
  const client = new pg.Client(urlWith("1h"));
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Until so many sessions wait for a lock. */
async function untilWaiting(sessions: number): Promise<void> {
  const waiting = "SELECT count(DISTINCT pid)::int FROM pg_locks WHERE NOT granted";
  await expect
    .poll(async () => (await query(database.url, waiting))[0]?.[0], { interval: 5 })
    .toBeGreaterThanOrEqual(sessions);
}

it("a transaction that is given up to end a deadlock is written again", async () => {
  const store = open();
  for (const runId of ["run-1", "run-2"]) await store.createRun(newRun({ runId }));
  const client = await otherSession();
  const touch = (runId: string) =>
    client.query(`UPDATE _service_runs SET epoch = epoch WHERE run_id = '${runId}'`);
  await client.query("BEGIN");
  await touch("run-2");
  const commits = ["run-1", "run-2"].map(
    (runId): RunWrite => ({
      type: "commit",
      commit: step({ lease: { ...firstLease, runId }, run: { frameNo: 5 } }),
    }),
  );
  const writes = Promise.resolve(store.writeTogether(commits));
  await untilWaiting(1);
  // It has the first and waits for the second; now the other session waits for the first.
  await touch("run-1");
  await client.query("COMMIT");
  expect(await writes).toEqual([{ ok: true }, { ok: true }]);
  expect((await store.getRun("run-1"))?.frameNo).toBe(5);
  expect((await store.getRun("run-2"))?.frameNo).toBe(5);
});

it("a transaction whose rows another has changed meanwhile is written again, from what it reads then", async () => {
  const store = open();
  const namespace = "global:all";
  const fact = { namespace, key: "count", nowMs: T0 };
  await store.memory.setFact({ ...fact, valueJson: "1" });
  const client = await otherSession();
  await client.query("BEGIN; UPDATE _service_memory_facts SET value_json = '2'");
  const write = Promise.resolve(store.memory.setFact({ ...fact, valueJson: "3" }));
  await untilWaiting(1);
  await client.query("COMMIT");
  await write;
  const facts = await store.memory.listFacts({ namespace, nowMs: T0 });
  expect(facts).toMatchObject([{ key: "count", valueJson: "3" }]);
});
