import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { serviceMetrics } from "../../../src/metrics/catalog.js";
import type { RunCommit } from "../../../src/store/contract.js";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { codeOf, firstLease, newRun, schemas, step, T0 } from "../../conformance/store/fixtures.js";
import { startCutter } from "../../support/postgres/cut-connection.js";
import { query } from "../../support/postgres/database.js";
import { EMPTY_DATABASE } from "../../support/postgres/empty.js";
import { PostgresServer } from "../../support/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start(["max_connections=8", "superuser_reserved_connections=0"]);
});
afterAll(() => server.remove());

beforeEach(async () => {
  const store = open();
  await store.prepare();
  await store.close();
  await query(server.url(), EMPTY_DATABASE);
});

function open(
  options: { url?: string; settings?: string; waitMs?: number; poolSize?: number; answerMs?: number } = {},
) {
  const { settings, waitMs = 30_000, poolSize = 4, answerMs = 15_000 } = options;
  const url = new URL(options.url ?? server.url());
  if (settings !== undefined) url.searchParams.set("options", settings);
  const store = new PostgresStore(
    { connectionString: url.href, waitMs, poolSize, answerMs },
    deriveTables(schemas),
  );
  onTestFinished(() => store.close());
  return store;
}

/** Keeps the row of a run locked until the answer is called or the test is over. */
async function lockRun(): Promise<() => Promise<unknown>> {
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query("BEGIN; UPDATE _service_runs SET epoch = epoch");
  onTestFinished(() => client.end());
  return () => client.query("ROLLBACK");
}

const framesOf = async (store: PostgresStore) => (await store.getRun("run-1"))?.frameNo;

describe("a statement without an answer", () => {
  it("of a server that has vanished without a word counts as lost, and is tried again", async () => {
    const cutter = await startCutter(server.url());
    const store = open({ url: cutter.url, answerMs: 200 });
    // Before the store: it waits for the answers of what is open.
    onTestFinished(() => cutter.close());
    await store.createRun(newRun());
    cutter.vanish();
    let frames: unknown;
    void framesOf(store).then((found) => {
      frames = found;
    });
    // What it was sent on stays silent.
    cutter.reappear();
    await expect.poll(() => frames).toBe(0);
  });

  it("of a server that works on it is waited for, however often it is asked", async () => {
    const cutter = await startCutter(server.url());
    onTestFinished(() => cutter.close());
    const store = open({ url: cutter.url, answerMs: 50 });
    await store.createRun(newRun());
    const other = new pg.Client(server.url());
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN; UPDATE _service_runs SET epoch = epoch");
    const before = cutter.made;
    const commit = Promise.resolve(store.commit(step({ run: { frameNo: 7 } })));
    await expect.poll(() => cutter.made).toBeGreaterThan(before + 2);
    await other.query("ROLLBACK");
    await commit;
    expect(await framesOf(store)).toBe(7);
  });
});

describe("a commit whose connection is cut", () => {
  it.each([
    ["before it reaches the server", "nobody", 0],
    ["before its answer arrives", "server", 7],
  ] as const)("%s is reported as not known, and is whole or not there", async (_when, reaches, frameNo) => {
    const cutter = await startCutter(server.url());
    onTestFinished(() => cutter.close());
    const store = open({ url: cutter.url });
    await store.createRun(newRun());
    cutter.cutAt("frame_no", reaches);
    const commit = Promise.resolve(store.commit(step({ run: { frameNo: 7 } })));
    await expect(commit).rejects.toMatchObject({
      code: "DB_CONNECTION_LOST",
      details: { outcome: "unknown" },
    });
    expect(await framesOf(store)).toBe(frameNo);
    expect(await codeOf(() => store.commit(step({ run: { frameNo: 8 } })))).toBeUndefined();
  });

  it("is read again where it was a read", async () => {
    const cutter = await startCutter(server.url());
    onTestFinished(() => cutter.close());
    const store = open({ url: cutter.url });
    await store.createRun(newRun());
    cutter.cutAt("SELECT", "nobody");
    expect(await framesOf(store)).toBe(0);
  });
});

describe("a write", () => {
  it("waits for a server that is restarted", async () => {
    const store = open();
    await store.createRun(newRun());
    // With it, all before it is safe from a crash of the server.
    await store.commit(step({ run: { frameNo: 1 } }));
    await server.stop("immediate");
    // Without connections of before: where one breaks in the middle of a commit, its outcome is not known.
    const later = open();
    const commit = later.commit(step({ run: { frameNo: 3 } }));
    await server.start();
    await commit;
    expect(await framesOf(later)).toBe(3);
  });

  it("waits for a connection where the server has none left", async () => {
    const stores = [1, 2, 3].map((poolSize) => open({ poolSize: poolSize + 3 }));
    const runIds = Array.from({ length: 30 }, (_, index) => `run-${index}`);
    await Promise.all(
      runIds.map((runId, index) => (stores[index % 3] as PostgresStore).createRun(newRun({ runId }))),
    );
    expect(await (stores[0] as PostgresStore).listRuns({ limit: 100 })).toHaveLength(30);
  });

  it("goes on a connection whose first one was refused, of the same words", async () => {
    const store = open({ poolSize: 1 });
    await store.createRun(newRun());
    const stale = { ...firstLease, epoch: firstLease.epoch + 1 };
    const events = [0, 1].map((seq) => ({ seq, timestampMs: T0, body: { type: "RunStarted" as const } }));
    const told = { events: events as RunCommit["events"], run: { frameNo: 1 } };
    expect(await codeOf(() => store.commit(step({ ...told, lease: stale })))).toBe("RUN_RESUME_CLAIM_LOST");
    await store.commit(step(told));
    expect(await framesOf(store)).toBe(1);
  });

  it("is ended by the server's statement_timeout with words that say so", async () => {
    const store = open({ settings: "-c statement_timeout=100" });
    await store.createRun(newRun());
    await lockRun();
    const commit = Promise.resolve(store.commit(step({ run: { frameNo: 1 } })));
    await expect(commit).rejects.toMatchObject({ code: "DB_WRITE_FAILED", details: { sqlState: "57014" } });
    await expect(commit).rejects.toThrow("statement_timeout");
  });

  it("is DB_BUSY once its rows were locked for longer than waitMs", async () => {
    const store = open({ waitMs: 200 });
    await store.createRun(newRun());
    await lockRun();
    expect(await codeOf(() => store.commit(step({ run: { frameNo: 1 } })))).toBe("DB_BUSY");
  });

  it("waits as long as the connection's own lock_timeout says, again and again", async () => {
    const store = open({ settings: "-c lock_timeout=50", waitMs: 100_000 });
    await store.createRun(newRun());
    const release = await lockRun();
    const { dbTransactionRetries } = serviceMetrics;
    const before = dbTransactionRetries.value();
    const commit = store.commit(step({ run: { frameNo: 1 } }));
    await expect.poll(() => dbTransactionRetries.value() - before).toBeGreaterThanOrEqual(2);
    await release();
    await commit;
    expect(await framesOf(store)).toBe(1);
  });

  it("says of a server that takes none that it is a standby", async () => {
    const writer = open();
    await writer.createRun(newRun());
    const store = open({ settings: "-c default_transaction_read_only=on", waitMs: 50 });
    const commit = Promise.resolve(store.releaseLease(firstLease));
    await expect(commit).rejects.toMatchObject({
      code: "DB_CONNECTION_LOST",
      details: { sqlState: "25006" },
    });
    await expect(commit).rejects.toThrow("primary");
  });

  it("is refused at once where the database was opened for reading", async () => {
    const writer = open();
    await writer.createRun(newRun());
    const reader = new PostgresStore({ connectionString: server.url(), readOnly: true });
    onTestFinished(() => reader.close());
    expect(await codeOf(() => reader.releaseLease(firstLease))).toBe("DB_WRITE_FAILED");
  });
});

describe("transactions that are in each other's way", () => {
  it("are tried again until each has been written", async () => {
    const stores = [open({ poolSize: 2 }), open({ poolSize: 3 })];
    const namespace = "global:all";
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (stores[index % 2] as PostgresStore).memory.setFact({
          namespace,
          key: "count",
          valueJson: String(index),
          nowMs: index,
        }),
      ),
    );
    const [fact] = await (stores[0] as PostgresStore).memory.listFacts({ namespace, nowMs: 0 });
    expect(fact?.key).toBe("count");
  });
});
