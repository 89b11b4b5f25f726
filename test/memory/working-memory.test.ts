import { expect, it } from "vitest";
import { z } from "zod";
import { memoryInTest } from "./support/store.js";

const schema = z.object({ name: z.string(), visits: z.int() });

it("values are checked as they are written and read, and leave after their time", async () => {
  const { memory, clock } = memoryInTest();
  const profiles = memory.workingMemory({ schema, namespace: { kind: "user", id: "ada" }, ttlMs: 100 });
  const fact = await profiles.set("profile", { name: "Ada", visits: 1 });
  expect(fact).toMatchObject({
    namespace: "user:ada",
    ttlMs: 100,
    schemaSig: expect.stringMatching(/^.{16}$/),
  });
  expect(await profiles.get("profile")).toEqual({ name: "Ada", visits: 1 });
  expect(await profiles.entries()).toEqual([["profile", { name: "Ada", visits: 1 }]]);
  clock.moveTo(clock.now() + 100);
  expect(await profiles.get("profile")).toBeUndefined();
});

it("a value that does not fit is refused, and nothing is written", async () => {
  const { memory } = memoryInTest();
  const profiles = memory.workingMemory({ schema, namespace: "user:ada" });
  const wrong = profiles.set("profile", { name: "Ada", visits: "one" as unknown as number });
  await expect(wrong).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("visits"),
  });
  expect(await profiles.entries()).toEqual([]);
  expect(await profiles.delete("profile")).toBe(false);
});

it("a fact that does not fit is named when it is read", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "profile", { name: "Ada" });
  const profiles = memory.workingMemory({ schema, namespace: "user:ada" });
  const read = profiles.get("profile");
  await expect(read).rejects.toMatchObject({
    code: "MEMORY_SCHEMA_MISMATCH",
    message: expect.stringContaining("The fact profile of user:ada does not fit its schema: visits"),
  });
});

it("two schemas have two signatures, and without one there is none", async () => {
  const { memory } = memoryInTest();
  const write = (config: object) =>
    memory.workingMemory({ namespace: "user:ada", ...config }).set("k", { name: "x", visits: 1 });
  const [one, other, none] = [
    await write({ schema }),
    await write({ schema: z.looseObject({}) }),
    await write({}),
  ];
  expect(one.schemaSig).not.toBe(other.schemaSig);
  expect(none.schemaSig).toBeUndefined();
});
