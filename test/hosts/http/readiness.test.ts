import { expect, it, onTestFinished } from "vitest";
import { readinessOf } from "../../../src/hosts/http/readiness.js";
import { createPostgresDb } from "../../../src/store/create-postgres-db.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { startCutter } from "../../support/postgres/cut-connection.js";
import { createPostgresDatabase } from "../../support/postgres/database.js";

it("a host is not ready while the server of its database says nothing, and is again once it answers", async () => {
  const { url, remove } = await createPostgresDatabase();
  onTestFinished(() => void remove());
  const cutter = await startCutter(url);
  const { db, prepare, store } = createPostgresDb(
    { provider: "postgres", connectionString: cutter.url, answerMs: 200 },
    {},
  );
  onTestFinished(() => store.close());
  onTestFinished(() => cutter.close());
  await prepare();
  const databases = [new ServiceDb(db)];
  expect(await readinessOf(databases)).toEqual({ ok: true, ready: true });
  cutter.vanish();
  expect(await readinessOf(databases)).toEqual({
    ok: false,
    ready: false,
    error: { code: "DB_CONNECTION_LOST" },
  });
  cutter.reappear();
  await expect.poll(() => readinessOf(databases)).toEqual({ ok: true, ready: true });
});
