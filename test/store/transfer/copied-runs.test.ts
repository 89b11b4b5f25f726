import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServicePostgres, ServiceDb } from "treadle";
import { afterAll, beforeAll, describe, it, onTestFinished } from "vitest";
import { copyWorkspace } from "../../../src/operations/copy-workspace.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { openScene, type Scene } from "../../support/engine/scene.js";
import { createPostgresDatabase, type PostgresDatabase } from "../../support/postgres/database.js";
import { writeVersion10 } from "../../support/version-10.js";
import { expectToContinue } from "../support/expect-to-continue.js";
import { PARKED, parkedSchemas } from "../support/parked-runs.js";

let server: PostgresDatabase;
let folder: string;
let back: string;
beforeAll(async () => {
  server = await createPostgresDatabase();
  folder = mkdtempSync(join(tmpdir(), "treadle-copy-"));
  const from = join(folder, "from.db");
  writeVersion10(from);
  const store = openExisting(from);
  await store.prepare();
  await store.close();
  await copyWorkspace({ from, to: server.url });
  back = join(folder, "back.db");
  await copyWorkspace({ from: server.url, to: back });
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

async function sceneOn(connectionString: string): Promise<Scene<typeof parkedSchemas>> {
  const api = await createServicePostgres(parkedSchemas, { connectionString });
  onTestFinished(() => api.close());
  const { store } = new ServiceDb(api.db);
  return { api, store } as unknown as Scene<typeof parkedSchemas>;
}

describe("a run that was suspended in a file continues on a server:", () => {
  it.each(PARKED)("%s", async (name) => {
    await expectToContinue(await sceneOn(server.url), name);
  });
});

describe("a run that was copied to a server and back continues in the file:", () => {
  it.each(["approval", "hijack", "chain", "killed"])("%s", async (name) => {
    await expectToContinue(openScene(parkedSchemas, { dbPath: back }), name);
  });
});
