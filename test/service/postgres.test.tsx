import { sql } from "drizzle-orm";
import type { PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createService, createServicePostgres, getRun, runWorkflow, ServiceDb, signalRun } from "treadle";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

const schemas = {
  input: z.object({ topic: z.string() }),
  draft: z.object({ text: z.string(), words: z.int(), isGood: z.boolean(), at: z.date() }),
  paid: z.object({ sum: z.number() }),
};
const row = { text: "tea \0", words: 1, isGood: true, at: new Date(5) };

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

async function open() {
  const api = await createServicePostgres(schemas, { connectionString: database.url });
  onTestFinished(() => api.close());
  return api;
}

describe("createServicePostgres", () => {
  it("runs a workflow, whose rows its db finds", async () => {
    const { service, Workflow, Task, outputs, db, tables } = await open();
    const workflow = service((ctx) => (
      <Workflow name="essay">
        <Task id="write" output={outputs.draft}>
          {row}
        </Task>
        <Task id="count" output={outputs.draft}>
          {{
            ...row,
            text: ctx.input.topic,
            words: ctx.outputMaybe("draft", { nodeId: "write" })?.words ?? 0,
          }}
        </Task>
      </Workflow>
    ));
    const { runId, status } = await runWorkflow(workflow, { input: { topic: "milk" } });
    expect(status).toBe("finished");
    const drizzle = db as unknown as PgRemoteDatabase;
    const rows = await drizzle.select().from(tables.draft as never);
    expect(rows).toContainEqual({ runId, nodeId: "write", iteration: 0, ...row });
    expect(await db.execute(sql`SELECT text FROM draft WHERE node_id = ${"count"}`)).toEqual([
      { text: "milk" },
    ]);
  });

  it("keeps what waits for the process that resumes it", async () => {
    const asWorkflow = ({ service, Workflow, Signal, outputs }: Awaited<ReturnType<typeof open>>) =>
      service(() => (
        <Workflow name="payment">
          <Signal id="paid" schema={outputs.paid} />
        </Workflow>
      ));
    const first = await open();
    const { runId, status } = await runWorkflow(asWorkflow(first), { input: { topic: "tea" } });
    expect(status).toBe("waiting-event");
    await first.close();

    const workflow = asWorkflow(await open());
    await signalRun(workflow, { runId, signal: "paid", data: { sum: 3 } });
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
    expect(await new ServiceDb(workflow.db).store.listOutputs(runId, "paid")).toEqual([{ sum: 3 }]);
  });

  it("runs on PGlite without a server", async () => {
    const { service, Workflow, Task, outputs, close } = await createServicePostgres(schemas, {
      provider: "pglite",
    });
    const workflow = service(() => (
      <Workflow name="essay">
        <Task id="write" output={outputs.draft}>
          {row}
        </Task>
      </Workflow>
    ));
    const { runId } = await runWorkflow(workflow, { input: { topic: "milk" } });
    expect((await getRun(workflow, runId)).status).toBe("finished");
    await close();
    await close();
  });

  it.each([
    ["connectionString", { provider: "pglite", connectionString: "postgres://localhost/x" }],
    ["poolSize", { provider: "pglite", poolSize: 3 }],
    ["dataDir", { connectionString: "postgres://localhost/x", dataDir: "x" }],
    ["connection", { connectionString: "postgres://localhost/x", connection: {} }],
    ["connectionString", {}],
    ["connection string", { connectionString: "https://localhost/x" }],
    ["several servers", { connectionString: "postgres://app:se,cret@one:5432,two:5432/x" }],
    ["target_session_attrs", { connectionString: "postgres://one/x?target_session_attrs=read-write" }],
  ] as const)("refuses %s where it does not belong: %j", async (option, options) => {
    vi.stubEnv("SERVICE_DATABASE_URL", "");
    const refused = createServicePostgres(schemas, options);
    await expect(refused).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(refused).rejects.toThrow(option);
  });

  it("refuses names that Postgres would cut off, or has itself", async () => {
    const key = "a".repeat(60);
    const long = createServicePostgres({ [key]: z.object({}) }, { connectionString: database.url });
    await expect(long).rejects.toMatchObject({ code: "SCHEMA_INCOMPATIBLE" });
    const taken = createServicePostgres(
      { note: z.object({ xmin: z.string() }) },
      { connectionString: database.url },
    );
    await expect(taken).rejects.toMatchObject({ code: "SCHEMA_INCOMPATIBLE" });
  });

  it("says which server cannot be reached, without its password", async () => {
    const gone = createServicePostgres(schemas, {
      connectionString: "postgres://app:hunter2@127.0.0.1:1/work",
      waitMs: 0,
    });
    await expect(gone).rejects.toMatchObject({ code: "DB_CONNECTION_LOST" });
    await expect(gone).rejects.toThrow("postgres://app@127.0.0.1:1/work");
  });
});

describe("createService", () => {
  it("keeps runs on the server of SERVICE_DATABASE_URL, and refuses queries of SQLite there", async () => {
    vi.stubEnv("SERVICE_DATABASE_URL", database.url);
    const { service, Workflow, Task, outputs, db } = createService(schemas);
    const workflow = service(() => (
      <Workflow name="moved">
        <Task id="write" output={outputs.draft}>
          {row}
        </Task>
      </Workflow>
    ));
    const { store } = new ServiceDb(workflow.db);
    onTestFinished(() => store.close());
    const { runId } = await runWorkflow(workflow, { input: { topic: "milk" } });
    expect(store.dialect).toBe("postgres");
    expect(await store.listOutputs(runId, "draft")).toEqual([row]);
    expect(() => db.all("SELECT 1")).toThrow(
      expect.objectContaining({ code: "DB_REQUIRES_RUNTIME_SQLITE" }) as never,
    );
  });
});
