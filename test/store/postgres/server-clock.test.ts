import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createServicePostgres, listRuns, pruneRuns, runWorkflow } from "treadle";
import { z } from "zod";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { ServerClock } from "../../../src/store/postgres/server-clock.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { createPostgresDatabase, query } from "../../support/postgres/database.js";

const HOUR_MS = 3_600_000;

const machineNow = Date.now;

/** What a test may be held up by. */
const HELD_UP_MS = 10_000;

function setMachine(aheadMs: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => machineNow() + aheadMs);
}

afterEach(() => {
  vi.restoreAllMocks();
});

const askServer = async () => machineNow();

function expectRight(clock: Pick<ServerClock, "now">): void {
  expect(Math.abs(clock.now() - machineNow())).toBeLessThan(HELD_UP_MS);
}

it.each([5 * HOUR_MS, -5 * HOUR_MS])(
  "is the server's where the machine's is off by %d ms",
  async (aheadMs) => {
    setMachine(aheadMs);
    const clock = new ServerClock();
    expect(clock.isOld).toBe(true);
    await clock.settle(askServer);
    expect(clock.isOld).toBe(false);
    expectRight(clock);
  },
);

it("is the machine's to the millisecond where both agree within a quarter of a second", async () => {
  const clock = new ServerClock();
  await clock.settle(async () => machineNow() + 200);
  vi.spyOn(Date, "now").mockReturnValue(machineNow());
  expect(clock.now()).toBe(Date.now());
});

it("does not follow a machine's clock that is set while it runs, and asks the server again", async () => {
  const clock = new ServerClock();
  await clock.settle(askServer);
  setMachine(HOUR_MS);
  expectRight(clock);
  expect(clock.isOld).toBe(true);
  await clock.settle(askServer);
  expect(clock.isOld).toBe(false);
  expectRight(clock);
});

it("is what it was while the server does not answer", async () => {
  const clock = new ServerClock();
  setMachine(HOUR_MS);
  await clock.settle(askServer);
  await clock.settle(() => Promise.reject(new Error("the server is away")));
  expectRight(clock);
});

it("decides which runs are old enough for --older-than, of a machine whose clock is hours ahead as well", async () => {
  const database = await createPostgresDatabase();
  onTestFinished(async () => {
    await database.remove();
  });
  const api = await createServicePostgres({ note: z.object({}) }, { connectionString: database.url });
  onTestFinished(() => api.close());
  const workflow = api.service(() => jsx(api.Workflow, { name: "new" }));
  await runWorkflow(workflow, { runId: "new" });
  setMachine(5 * HOUR_MS);
  const found = async (olderThanMs: number) => (await listRuns(workflow, { olderThanMs })).runs.length;
  expect([await found(HOUR_MS), await found(0)]).toEqual([0, 1]);
  expect((await pruneRuns(workflow, { olderThanMs: HOUR_MS, dryRun: true })).runIds).toEqual([]);
});

it("asks once for all who want to know", async () => {
  const clock = new ServerClock();
  const ask = vi.fn(askServer);
  await Promise.all([clock.settle(ask), clock.settle(ask)]);
  expect(ask).toHaveBeenCalledOnce();
});

it("is what a store goes by, so that a lease that it writes counts from the server's time", async () => {
  const database = await createPostgresDatabase();
  onTestFinished(async () => {
    await database.remove();
  });
  setMachine(5 * HOUR_MS);
  const store = new PostgresStore({ connectionString: database.url });
  onTestFinished(() => store.close());
  await store.prepare();
  const [[serverMs] = []] = await query(
    database.url,
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8",
  );
  expect(Math.abs(store.clock.now() - Number(serverMs))).toBeLessThan(HELD_UP_MS);
});
