import { mkdtempSync, rmSync } from "node:fs";
import Module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { PgliteStore } from "../../../src/store/pglite/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { T0 } from "../../conformance/store/fixtures.js";
import { initializePglite } from "../../support/pglite/initialized-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const model = "m";

let store: PgliteStore;
let namespace = "";
const folder = mkdtempSync(join(tmpdir(), "treadle-test-"));
let shared: PgliteStore;
beforeAll(async () => {
  shared = await opened(await initializePglite(join(folder, "data")));
});
afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(({ task }) => {
  store = shared;
  namespace = `user:${task.id}`;
});

async function opened(dataDir: string) {
  const pglite = new PgliteStore(dataDir, deriveTables({}));
  await pglite.prepare();
  return pglite;
}

async function keep(key: string, numbers: readonly number[]): Promise<void> {
  await store.memory.setFact({ namespace, key, valueJson: "1", nowMs: T0 });
  const page = await store.memory.pageVectors({
    namespace,
    model,
    nowMs: T0,
    limit: 9,
    length: numbers.length,
  });
  const known = page.find(({ fact }) => fact.key === key);
  if (known === undefined) throw new Error(`${key} is not in the page`);
  const { factNo, revision } = known;
  await store.memory.keepVectors([{ factNo, revision, model: "m", vector: Float32Array.from(numbers) }]);
}

const nearest = async (question: readonly number[]) =>
  (
    await store.memory.nearestVectors({
      namespace,
      model,
      nowMs: T0,
      limit: 9,
      question: Float32Array.from(question),
    })
  ).map(({ fact }) => fact.key);
const uncompared = async (length: number) =>
  (await store.memory.pageVectors({ namespace, model, nowMs: T0, limit: 9, length })).map(
    ({ fact }) => fact.key,
  );

it("the server has each number of a vector as it was kept", async () => {
  const numbers = Float32Array.from([0, 1, -1.5, 0.1, 3.4e38, -1.2e-38, 1e-45, 1 / 3]);
  await keep("all", [...numbers]);
  const { rows } = await store.connection.query(
    "SELECT meaning::real[]::text FROM _service_memory_vectors",
    [],
  );
  const text = rows[0]?.[0] as string;
  expect(Float32Array.from(text.slice(1, -1).split(",").map(Number))).toEqual(numbers);
});

it("those that the server compares are no part of a page", async () => {
  await keep("near", [1, 0]);
  await keep("far", [-1, 0]);
  expect(await nearest([1, 0])).toEqual(["near", "far"]);
  expect(await uncompared(2)).toEqual([]);
  // Vectors of another length are of a model that has changed.
  expect(await nearest([1, 0, 0])).toEqual([]);
  expect(await uncompared(3)).toEqual(["far", "near"]);
});

it("vectors that are longer than the server takes are read", async () => {
  const long = Array.from({ length: 16_001 }, () => 1);
  await keep("long", long);
  expect(await nearest(long)).toEqual([]);
  expect(await uncompared(long.length)).toEqual(["long"]);
});

it("a vector that the server cannot read is left to who reads it", async () => {
  await keep("damaged", [1, 0, 0, 0, 0, 0, 0]);
  await store.connection.query(
    "UPDATE _service_memory_vectors SET vector = '?' WHERE vector_dims(meaning) = 7",
    [],
  );
  expect(await nearest([1, 0, 0, 0, 0, 0, 0])).toEqual([]);
  await expect(uncompared(7)).rejects.toMatchObject({ code: "STORAGE_ERROR" });
});

it("vectors are read once the extension is gone, and compared by the server once it is back", async () => {
  const dataDir = await initializePglite(join(temporaryFolder(), "data"));
  store = await opened(dataDir);
  onTestFinished(() => store.close());
  await keep("kept", [1, 0]);
  await store.connection.query("DROP EXTENSION vector CASCADE", []);
  expect(await nearest([1, 0])).toEqual([]);
  expect(await uncompared(2)).toEqual(["kept"]);
  await keep("new", [1, 1]);
  await store.close();
  store = await opened(dataDir);
  onTestFinished(() => store.close());
  expect(await nearest([1, 0])).toEqual(["kept", "new"]);
  expect(await uncompared(2)).toEqual([]);
});

it("vectors are compared wherever the extension lies, and read where the user may not go there", async () => {
  const dataDir = await initializePglite(join(temporaryFolder(), "data"));
  store = await opened(dataDir);
  await keep("kept", [1, 0]);
  const move = `DROP EXTENSION vector CASCADE; CREATE SCHEMA "all that's shared";
    CREATE EXTENSION vector SCHEMA "all that's shared"`;
  for (const sql of move.split(";")) await store.connection.query(sql, []);
  await store.close();
  store = await opened(dataDir);
  onTestFinished(() => store.close());
  expect(await nearest([1, 0])).toEqual(["kept"]);
  await store.connection.query("CREATE ROLE outsider", []);
  await store.connection.query("GRANT ALL ON ALL TABLES IN SCHEMA public TO outsider", []);
  await store.connection.query("SET ROLE outsider", []);
  expect(await nearest([1, 0])).toEqual([]);
  expect(await uncompared(2)).toEqual(["kept"]);
});

it("vectors are kept and read while the extension's files are away, and compared by the server once they are back", async () => {
  const dataDir = await initializePglite(join(temporaryFolder(), "data"));
  store = await opened(dataDir);
  await keep("before", [1, 0]);
  await store.close();

  const installed = withoutPackage("@electric-sql/pglite-pgvector");
  store = await opened(dataDir);
  await keep("meanwhile", [1, 1]);
  expect(await nearest([1, 0])).toEqual([]);
  expect(await uncompared(2)).toEqual(["before", "meanwhile"]);
  await store.close();

  installed();
  store = await opened(dataDir);
  onTestFinished(() => store.close());
  await keep("after", [0, 1]);
  expect(await nearest([1, 0])).toEqual(["before", "after"]);
  expect(await uncompared(2)).toEqual(["meanwhile"]);
});

/** @returns installs it again */
function withoutPackage(name: string): () => void {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  const spy = vi.spyOn(loader, "_load").mockImplementation((request, ...rest) => {
    if (request !== name) return load.call(loader, request, ...rest);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
  });
  const restore = () => spy.mockRestore();
  onTestFinished(restore);
  return restore;
}
