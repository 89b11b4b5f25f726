import { expect, it, onTestFinished } from "vitest";
import { PostgresStore } from "../../../src/store/postgres/store.js";
import { createPostgresDatabase, query } from "../../support/postgres/database.js";
import { startSharingPooler } from "../../support/postgres/sharing-pooler.js";

it("a pooler that lends one session to several connections is refused before anything is written", async () => {
  const database = await createPostgresDatabase();
  onTestFinished(() => void database.remove());
  const pooler = await startSharingPooler(database.url);
  onTestFinished(() => pooler.close());
  const store = new PostgresStore({ connectionString: pooler.url });
  onTestFinished(() => store.close());
  const opened = Promise.resolve(store.prepare());
  await expect(opened).rejects.toMatchObject({ code: "STORAGE_ERROR", retryable: false });
  await expect(opened).rejects.toThrow("PgBouncer in transaction or statement mode");
  const tables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = current_schema()";
  expect(await query(database.url, tables)).toEqual([["0"]]);
});
