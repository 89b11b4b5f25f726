import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";
import { Workspace } from "./support/treadle.js";
import { GATED } from "./support/workflows.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

/** The server with a password, which it does not ask for. */
function withPassword(): string {
  const url = new URL(database.url);
  url.password = "hunter2";
  return url.href;
}

describe("commands about runs on a Postgres server", () => {
  it("find them by --db, and name the server without its password", async () => {
    const db = withPassword();
    const workspace = new Workspace({ "w.tsx": GATED });
    const begun = await workspace.json(["up", "w.tsx", "--run-id", "g", "--db", db]);
    expect(begun.document).toMatchObject({ status: "waiting-approval" });
    expect(JSON.stringify(begun.document)).not.toContain("hunter2");
    expect(JSON.stringify(begun.document)).toContain("--db");
    const listed = await workspace.json(["ps", "--db", db]);
    expect(listed.document).toMatchObject({ runs: [{ runId: "g", status: "waiting-approval" }] });
    const approved = await workspace.json(["approve", "g", "--yes", "--db", db]);
    expect(approved.code).toBe(0);
  });

  it("find them by SERVICE_DATABASE_URL, which --db wins over", async () => {
    const env = { SERVICE_DATABASE_URL: database.url };
    const workspace = new Workspace({ "w.tsx": GATED });
    await workspace.json(["up", "w.tsx", "--run-id", "h"], { env });
    await workspace.json(["approve", "h", "--yes"], { env });
    await workspace.json(["signal", "h", "payment", "--data", '{"amount":3}'], { env });
    const { document } = await workspace.json(["up", "--resume", "h"], { env });
    expect(document).toMatchObject({ status: "finished", output: { amount: 3 } });
    expect((await workspace.json(["output", "h", "ship"], { env })).document).toMatchObject({
      approved: true,
    });
    const elsewhere = await workspace.json(["ps", "--db", "service.db"], { env });
    expect(elsewhere.document).toMatchObject({ error: { code: "CLI_DB_NOT_FOUND" } });
  });

  it("say of a server that is away what to do", async () => {
    const workspace = new Workspace({});
    const { document, code } = await workspace.json(["doctor", "--db", "postgres://app@127.0.0.1:1/work"]);
    expect(code).not.toBe(0);
    expect(JSON.stringify(document)).toContain("DB_CONNECTION_LOST");
  });
});
