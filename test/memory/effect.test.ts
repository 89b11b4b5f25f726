import { Effect, Exit } from "effect";
import { expect, expectTypeOf, it } from "vitest";
import type { ServiceError } from "../../src/errors/service-error.js";
import type { MemoryOperations, MemoryStore } from "../../src/memory/memory-store.js";
import type { MemoryFact } from "../../src/model/memory.js";
import { memoryInTest } from "./support/store.js";

it("a twin does nothing until it is run, and gives what its operation gives", async () => {
  const { memory } = memoryInTest();
  const setting = memory.setFactEffect("user:ada", "k", 1);
  expectTypeOf(setting).toEqualTypeOf<Effect.Effect<MemoryFact, ServiceError>>();
  expect(await memory.getFact("user:ada", "k")).toBeUndefined();
  const program = Effect.gen(function* () {
    yield* setting;
    yield* memory.setFactEffect("user:ada", "l", 2, 1_000);
    return yield* memory.listFactsEffect("user:ada");
  });
  expect((await Effect.runPromise(program)).map(({ key, ttlMs }) => [key, ttlMs])).toEqual([
    ["k", undefined],
    ["l", 1_000],
  ]);
});

it("a twin fails with the ServiceError of its operation", async () => {
  const { memory } = memoryInTest();
  const saved = memory.saveMessageEffect({ threadId: "t", role: "user", contentJson: '"x"' });
  const caught = saved.pipe(Effect.match({ onSuccess: () => "saved", onFailure: ({ code }) => code }));
  expect(await Effect.runPromise(caught)).toBe("MEMORY_THREAD_NOT_FOUND");
  const exit = await Effect.runPromiseExit(memory.getFactEffect("tenant:a", "k"));
  expect(Exit.isFailure(exit)).toBe(true);
});

it("every operation has a twin", () => {
  const { memory } = memoryInTest();
  const own = new Set(["constructor", "close", "workingMemory", "messageHistory"]);
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(memory)).filter((name) => !own.has(name));
  expect(names).toContain("deleteExpiredFacts");
  for (const name of names) expect(memory).toHaveProperty(`${name}Effect`, expect.any(Function));
  expectTypeOf<keyof MemoryOperations extends infer N extends string ? `${N}Effect` : never>().toExtend<
    keyof MemoryStore
  >();
});
