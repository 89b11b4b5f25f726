import { expect, it } from "vitest";
import { ttlCollector } from "../../src/memory/processors/ttl-collector.js";
import { memoryInTest } from "./support/store.js";

it("a fact can be read up to the last millisecond of its time, and not from the next on", async () => {
  const { memory, clock } = memoryInTest();
  const setAtMs = clock.now();
  await memory.setFact("user:ada", "code", "4711 blue", 1_000);
  await memory.setFact("user:ada", "name", "Ada");
  const keysFound = async () =>
    (await memory.recall({ namespace: "user:ada", query: "blue" })).map(({ key }) => key);
  clock.moveTo(setAtMs + 999);
  expect(await memory.getFact("user:ada", "code")).toMatchObject({ ttlMs: 1_000 });
  expect((await memory.listFacts("user:ada")).map(({ key }) => key)).toEqual(["code", "name"]);
  expect(await keysFound()).toEqual(["code"]);
  clock.moveTo(setAtMs + 1_000);
  expect(await memory.getFact("user:ada", "code")).toBeUndefined();
  expect((await memory.listFacts("user:ada")).map(({ key }) => key)).toEqual(["name"]);
  expect(await keysFound()).toEqual([]);
  expect(await memory.deleteFact("user:ada", "code")).toBe(false);
});

it("a fact that is written after its time is a new one", async () => {
  const { memory, clock } = memoryInTest();
  const setAtMs = clock.now();
  await memory.setFact("user:ada", "k", 1, 10);
  clock.moveTo(setAtMs + 10);
  expect(await memory.setFact("user:ada", "k", 2)).toMatchObject({ createdAtMs: setAtMs + 10 });
});

it("writing a fact again begins its time anew", async () => {
  const { memory, clock } = memoryInTest();
  const setAtMs = clock.now();
  await memory.setFact("user:ada", "k", 1, 10);
  clock.moveTo(setAtMs + 9);
  await memory.setFact("user:ada", "k", 1, 10);
  clock.moveTo(setAtMs + 18);
  expect(await memory.getFact("user:ada", "k")).toBeDefined();
  clock.moveTo(setAtMs + 19);
  expect(await memory.getFact("user:ada", "k")).toBeUndefined();
});

it("deleteExpiredFacts deletes expired facts, and counts it", async () => {
  const { memory, clock } = memoryInTest({ processors: [ttlCollector()] });
  for (const [key, ttlMs] of [
    ["a", 10],
    ["b", 20],
    ["c", 21],
  ] as const)
    await memory.setFact("user:ada", key, key, ttlMs);
  await memory.setFact("user:ada", "d", "d");
  expect(await memory.deleteExpiredFacts()).toBe(0);
  clock.moveTo(clock.now() + 20);
  expect(await memory.deleteExpiredFacts()).toBe(2);
  expect(await memory.deleteExpiredFacts()).toBe(0);
  expect((await memory.listFacts("user:ada")).map(({ key }) => key)).toEqual(["c", "d"]);
  clock.moveTo(clock.now() + 1);
  expect(await memory.runProcessors({ processors: ["ttl-collector"] })).toEqual([
    { name: "ttl-collector", removed: 1 },
  ]);
});
