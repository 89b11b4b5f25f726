import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { onOutsideChange } from "../../../src/store/change-feed.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { systemClock } from "../../../src/util/clock.js";
import { newRun, schemas, step, T0, WAKE } from "../../conformance/store/fixtures.js";
import { createPostgresDatabase, type PostgresDatabase, query } from "../../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

async function open() {
  const store = new PostgresStore({ connectionString: database.url }, deriveTables(schemas));
  onTestFinished(() => store.close());
  await store.prepare();
  return store;
}

/** Counts calls of a subscriber that looks by itself once an hour. */
async function listen(store: PostgresStore) {
  const heard = { calls: 0 };
  const leave = onOutsideChange(store, { clock: systemClock, everyMs: 3_600_000 }, () => {
    heard.calls += 1;
  });
  onTestFinished(leave);
  // It listens.
  await store.changeToken();
  return heard;
}

it("a process hears at once of what another one has written, and not of its own writes", async () => {
  const [mine, other] = [await open(), await open()];
  await mine.createRun(newRun());
  const heard = await listen(mine);
  await mine.commit(step({ run: { frameNo: 1 } }));
  await other.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
  await expect.poll(() => heard.calls, { interval: 5 }).toBeGreaterThan(0);
});

it("a process that has lost the connection on which it listens hears again, of what it has missed too", async () => {
  const [mine, other] = [await open(), await open()];
  await mine.createRun(newRun({ runId: "run-2" }));
  const heard = await listen(mine);
  await query(
    database.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()",
  );
  await other.submitIntent({ runId: "run-2", intent: WAKE, createdAtMs: T0 });
  await expect.poll(() => heard.calls, { interval: 5 }).toBeGreaterThan(0);
});
