import { expect, it } from "vitest";
import { testEmbedder } from "./support/embedder.js";
import { memoryInTest } from "./support/store.js";

const namespace = "user:ada";

async function someFacts(memory: ReturnType<typeof memoryInTest>["memory"]): Promise<void> {
  await memory.setFact(namespace, "morning", "Ada takes tea");
  await memory.setFact(namespace, "way", "Ada takes the bus");
  await memory.setFact(namespace, "both", "tea on the train");
}

it("facts are found by the angle of their vectors, without a word in common", async () => {
  const { memory } = memoryInTest();
  await someFacts(memory);
  const found = await memory.recall({ namespace, query: "a drink", embedder: testEmbedder() });
  expect(found.map(({ key, score }) => [key, score.toFixed(2)])).toEqual([
    ["morning", "1.00"],
    ["both", Math.SQRT1_2.toFixed(2)],
    ["way", "0.00"],
  ]);
});

it("similarityThreshold leaves out what is further away, and topK the rest", async () => {
  const { memory } = memoryInTest();
  await someFacts(memory);
  const embedder = testEmbedder();
  const keys = async (config: { topK?: number; similarityThreshold?: number }) =>
    (await memory.recall({ namespace, query: "a drink", embedder, ...config })).map(({ key }) => key);
  expect(await keys({ similarityThreshold: 0.8 })).toEqual(["morning"]);
  expect(await keys({ similarityThreshold: 0.5 })).toEqual(["morning", "both"]);
  expect(await keys({ topK: 1 })).toEqual(["morning"]);
});

it("a fact gets its vector once, and another one when it has changed", async () => {
  const { memory } = memoryInTest();
  await someFacts(memory);
  const embedder = testEmbedder();
  const ask = () => memory.recall({ namespace, query: "a drink", embedder });
  await ask();
  expect(embedder.calls.flat()).toHaveLength(4);
  await ask();
  expect(embedder.calls.at(-1)).toEqual(["a drink"]);
  await memory.setFact(namespace, "way", "Ada takes a drink");
  expect((await ask()).map(({ score }) => Math.round(score))).toEqual([1, 1, 1]);
  expect(embedder.calls.at(-1)).toEqual(["way: Ada takes a drink"]);
});

it("the vectors of another model are not taken for its own", async () => {
  const { memory } = memoryInTest();
  await someFacts(memory);
  await memory.recall({ namespace, query: "a drink", embedder: testEmbedder() });
  const other = testEmbedder([/bus/g, /tea/g]);
  // The same name, other vectors: the provider has changed the model.
  const [best] = await memory.recall({ namespace, query: "bus", embedder: other });
  expect(best).toMatchObject({ key: "way", score: 1 });
});

it("expired facts are not compared", async () => {
  const { memory, clock } = memoryInTest();
  await memory.setFact(namespace, "morning", "tea", 10);
  const ask = () => memory.recall({ namespace, query: "a drink", embedder: testEmbedder() });
  expect(await ask()).toHaveLength(1);
  clock.moveTo(clock.now() + 10);
  expect(await ask()).toEqual([]);
});

it("more facts than one call of the model takes are compared", async () => {
  const { memory } = memoryInTest();
  for (let n = 0; n < 130; n += 1) await memory.setFact(namespace, `k${n}`, n === 77 ? "tea" : "bus");
  const embedder = testEmbedder();
  const [best] = await memory.recall({ namespace, query: "a drink", topK: 1, embedder });
  expect(best).toMatchObject({ key: "k77", score: 1 });
  expect(embedder.calls.every((texts) => texts.length <= 50)).toBe(true);
});

it.each([
  ["throws", () => Promise.reject(new Error("rate limit")), /test:meanings has made no vectors: rate limit/],
  ["gives too few vectors", () => ({ embeddings: [], warnings: [] }), /asked for 1 vectors and gave 0/],
  ["gives no numbers", () => ({ embeddings: [[Number.NaN]], warnings: [] }), /list of finite numbers/],
  ["gives no lists", () => ({ embeddings: ["x"], warnings: [] }), /list of finite numbers/],
])("a model that %s fails the search with a code of its own", async (_, next, message) => {
  const { memory } = memoryInTest();
  await someFacts(memory);
  const embedder = testEmbedder();
  embedder.next = next;
  const failure = await memory
    .recall({ namespace, query: "a drink", embedder })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "MEMORY_EMBEDDING_FAILED", message: expect.stringMatching(message) });
  // The next one finds nothing half done.
  expect(await memory.recall({ namespace, query: "a drink", embedder })).toHaveLength(3);
});

it("a search that is given up ends with its reason", async () => {
  const { memory } = memoryInTest();
  const reason = new Error("enough");
  const search = memory.recall({
    namespace,
    query: "x",
    embedder: testEmbedder(),
    signal: AbortSignal.abort(reason),
  });
  await expect(search).rejects.toBe(reason);
});
