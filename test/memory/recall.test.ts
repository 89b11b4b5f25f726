import { expect, it } from "vitest";
import type { MemoryStore } from "../../src/memory/memory-store.js";
import fc from "../support/property-tests.js";
import { memoryInTest } from "./support/store.js";

async function keysFor(memory: MemoryStore, query: string, topK?: number): Promise<string[]> {
  const found = await memory.recall({ namespace: "user:ada", query, ...(topK !== undefined && { topK }) });
  return found.map(({ key }) => key);
}

it("the facts with the rarest words of the question come first, topK of them", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "refund", "Refunds of the order take five days");
  await memory.setFact("user:ada", "order", "The order was for tea");
  await memory.setFact("user:ada", "shipping", "Shipping of the order is free");
  for (let n = 0; n < 9; n += 1) await memory.setFact("user:ada", `noise-${n}`, `The order ${n}`);
  expect((await keysFor(memory, "how long does a refund of the order take", 3))[0]).toBe("refund");
  expect(await keysFor(memory, "order", 3)).toHaveLength(3);
  expect(await keysFor(memory, "the order")).toHaveLength(5);
  const [best] = await memory.recall({ namespace: "user:ada", query: "free shipping" });
  expect(best).toMatchObject({ key: "shipping", valueJson: '"Shipping of the order is free"' });
  expect(best?.score).toBeGreaterThan(0);
});

it.each([
  ["a key", "favouriteColour", 1, "colour"],
  ["the name of a member", "k", { phoneNumber: "+44" }, "phone"],
  ["a member deep inside", "k", { a: [{ b: "zebra" }] }, "zebra"],
  ["a number", "k", { order: 4711 }, "order number 4711"],
  ["another form of the word", "k", "she refunded it", "refunds"],
  ["another case and accents", "k", "El Niño", "EL NINO"],
  ["German", "k", "Die Straßenbahn fährt", "Wann fährt die Straßenbahn?"],
  ["Russian", "k", "Возврат денег", "возврат"],
  ["Arabic", "k", "سياسة الاسترجاع", "الاسترجاع"],
  ["Hindi", "k", "हिन्दी भाषा", "हिन्दी"],
  ["Chinese, a word within a sentence", "k", "我喜欢绿茶和咖啡", "绿茶"],
  ["Chinese, one character", "k", "我喜欢绿茶和咖啡", "茶"],
  ["Japanese", "k", "東京タワーに行きたい", "タワー"],
  ["Thai", "k", "ฉันชอบชาเขียว", "ชาเขียว"],
  ["an emoji", "k", "Ada drinks 🍵", "🍵"],
  ["an emoji with a variation, newer than the index", "🥹❤️", 1, "🥹"],
  ["Korean", "k", "환불 정책", "환불"],
])("a fact is found by %s", async (_, key, value, query) => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "other", "quite another thing");
  await memory.setFact("user:ada", key, value);
  expect(await keysFor(memory, query)).toEqual([key]);
});

it("facts of other namespaces are not found", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:bob", "k", "zebra");
  await memory.setFact("agent:ada", "k", "zebra");
  expect(await keysFor(memory, "zebra")).toEqual([]);
});

it("a fact is found by its present words only, and a deleted one by none", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "k", "zebra");
  await memory.setFact("user:ada", "k", "lion");
  expect(await keysFor(memory, "zebra")).toEqual([]);
  expect(await keysFor(memory, "lion")).toEqual(["k"]);
  await memory.deleteFact("user:ada", "k");
  expect(await keysFor(memory, "lion")).toEqual([]);
});

it("of facts with nothing but words that all have, those that have more of them come first", async () => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "both", "red house");
  for (let n = 0; n < 1_100; n += 1)
    await memory.setFact("user:ada", `f${n}`, n % 2 === 0 ? "red car" : "house");
  for (let n = 0; n < 1_100; n += 1)
    await memory.setFact("user:ada", `g${n}`, n % 2 === 0 ? "red car" : "house");
  expect((await keysFor(memory, "red house", 2))[0]).toBe("both");
});

it.each([
  '"',
  "AND",
  "a OR",
  "NOT",
  "NEAR(a b",
  "words:x",
  "*",
  "^a",
  "a -b",
  "{a b}:",
  "(",
  "'",
  ";--",
  "\u0000",
  "  ",
  "",
])("%j is a question like any other", async (query) => {
  const { memory } = memoryInTest();
  await memory.setFact("user:ada", "k", "zebra and near");
  await expect(memory.recall({ namespace: "user:ada", query })).resolves.toBeDefined();
});

it("no text breaks the search, and what was written is found by its own words", async () => {
  const { memory } = memoryInTest();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      await memory.setFact("user:ada", "any", text);
      await memory.recall({ namespace: "user:ada", query: text });
      await memory.setFact("user:ada", "any", `${text} zebra`);
      expect(await keysFor(memory, "zebra")).toEqual(["any"]);
    }),
    { numRuns: 30 },
  );
});

it.each([
  [{ topK: 0 }],
  [{ topK: 51 }],
  [{ topK: 1.5 }],
  [{ similarityThreshold: 0.5 }],
  [{ embedder: {} }],
  [{ query: 7 }],
  [{ limit: 3 }],
])("recall refuses %j", async (wrong) => {
  const { memory } = memoryInTest();
  const request = { namespace: "user:ada", query: "x", ...wrong } as never;
  await expect(memory.recall(request)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
