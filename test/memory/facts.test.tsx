import { expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../src/service/create-service.js";
import { createMemoryStore } from "../../src/memory/create-memory-store.js";
import { ServiceDb } from "../../src/store/service-db.js";
import fc from "../support/property-tests.js";
import { memoryInTest } from "./support/store.js";

it("a fact is read as it was written, with when", async () => {
  const { memory, clock } = memoryInTest();
  const atMs = clock.now();
  await memory.setFact("user:ada", "language", { name: "Portuguese", spoken: true });
  expect(await memory.getFact("user:ada", "language")).toEqual({
    namespace: "user:ada",
    key: "language",
    valueJson: '{"name":"Portuguese","spoken":true}',
    createdAtMs: atMs,
    updatedAtMs: atMs,
  });
  expect(await memory.getFact("user:bob", "language")).toBeUndefined();
});

it("writing a fact again replaces its value and keeps when it was made", async () => {
  const { memory, clock } = memoryInTest();
  const createdAtMs = clock.now();
  await memory.setFact("global:g", "k", 1, 5_000);
  clock.moveTo(createdAtMs + 1_000);
  const fact = await memory.setFact("global:g", "k", 2);
  expect(fact).toEqual({
    namespace: "global:g",
    key: "k",
    valueJson: "2",
    createdAtMs,
    updatedAtMs: createdAtMs + 1_000,
  });
  expect(await memory.listFacts("global:g")).toEqual([fact]);
});

it("facts are listed by key, those of their namespace only", async () => {
  const { memory } = memoryInTest();
  for (const key of ["b", "c", "a"]) await memory.setFact({ kind: "agent", id: "x" }, key, key);
  await memory.setFact("agent:xy", "d", "d");
  expect((await memory.listFacts("agent:x")).map(({ key }) => key)).toEqual(["a", "b", "c"]);
});

it("deleting a fact says whether there was one", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "k", null);
  expect(await memory.deleteFact("user:ada", "k")).toBe(true);
  expect(await memory.deleteFact("user:ada", "k")).toBe(false);
  expect(await memory.getFact("user:ada", "k")).toBeUndefined();
});

it("every JSON value comes back as it went in", async () => {
  const { memory } = memoryInTest();
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
      async (value, key) => {
        await memory.setFact("global:any", key, value);
        const fact = await memory.getFact("global:any", key);
        expect(fact?.key).toBe(key);
        expect(fact?.valueJson).toBe(JSON.stringify(value));
      },
    ),
    { numRuns: 30 },
  );
});

it.each([
  ["undefined", undefined, /deleteFact/],
  ["a function inside", { a: [() => 1] }, /"a\[0\]" is a function/],
  ["a number that JSON has not", Number.NaN, /NaN/],
  ["a bigint", 1n, /bigint/],
  ["more than a megabyte", { text: "x".repeat(1_000_000) }, /1000011 bytes of JSON; at most 1000000/],
])("a value that is %s is refused, and nothing is written", async (_, value, message) => {
  const { memory } = memoryInTest();
  const refusal = await memory.setFact("user:ada", "k", value).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "INVALID_INPUT", message: expect.stringMatching(message) });
  expect(await memory.listFacts("user:ada")).toEqual([]);
});

it.each([[""], ["x".repeat(513)], ["half \ud800"], [7 as unknown as string]])(
  "the key %j is refused",
  async (key) => {
    const { memory } = memoryInTest();
    await expect(memory.setFact("user:ada", key, 1)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  },
);

it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["1h" as unknown as number]])(
  "a ttlMs of %s is refused",
  async (ttlMs) => {
    const { memory } = memoryInTest();
    await expect(memory.setFact("user:ada", "k", 1, ttlMs)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  },
);

it("a workflow, its db, a ServiceDb and the path of the file are the same memory", async () => {
  const { databasePath } = await import("../store/support/database.js");
  const path = databasePath();
  const { db, service, Workflow } = createService({ output: z.object({ n: z.int() }) }, { dbPath: path });
  const workflow = service(() => <Workflow name="w">{null}</Workflow>);
  await createMemoryStore(workflow).setFact("global:g", "k", 1);
  for (const target of [db, new ServiceDb(db), path]) {
    const memory = createMemoryStore(target);
    expect((await memory.getFact("global:g", "k"))?.valueJson).toBe("1");
    await memory.close();
  }
  // Only the store that was opened by its path has been closed.
  expect((await createMemoryStore(db).getFact("global:g", "k"))?.valueJson).toBe("1");
});

it.each([[undefined], [null], [""], [7], [{}]])("%j is no target", (target) => {
  expect(() => createMemoryStore(target as never)).toThrow(/target|ServiceDb/);
});
