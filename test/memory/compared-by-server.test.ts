import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryStore } from "../../src/memory/create-memory-store.js";
import type { MemoryStore } from "../../src/memory/memory-store.js";
import { createServicePostgres } from "../../src/index.js";
import fc, { propertyRuns } from "../support/property-tests.js";
import { initializePglite } from "../support/pglite/initialized-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { memoryInTest } from "./support/store.js";
import { vectorEmbedder } from "./support/vector-embedder.js";
import { z } from "zod";

/** Whole numbers, long ones and short ones: some are equal, opposite, of one direction or point nowhere. */
const vector = fc
  .tuple(
    fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(1, 30, 900),
  )
  .map(([numbers, length]) => numbers.map((number) => number * length));

it("a server with pgvector finds the facts that are found without one, in their order", async () => {
  const dataDir = await initializePglite(join(temporaryFolder(), "data"));
  const { db, close } = await createServicePostgres({ row: z.object({}) }, { provider: "pglite", dataDir });
  onTestFinished(close);
  const compared = createMemoryStore(db);
  let searches = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(vector, { minLength: 40, maxLength: 80 }),
      vector,
      fc.integer({ min: 1, max: 5 }),
      async (known, asked, topK) => {
        searches += 1;
        const namespace = `user:${searches}`;
        const { memory } = memoryInTest();
        const embedder = vectorEmbedder([...known, asked]);
        const found = async (store: MemoryStore) =>
          (await store.recall({ namespace, query: `${known.length}`, embedder, topK })).map(
            ({ key, score }) => [key, score],
          );
        for (const store of [memory, compared]) {
          for (const [index] of known.entries()) await store.setFact(namespace, `k${index}`, index);
        }
        const expected = await found(memory);
        expect(await found(compared)).toEqual(expected);
        // Each has its vector by now.
        expect(await found(compared)).toEqual(expected);
      },
    ),
    { ...propertyRuns(8), endOnFailure: true },
  );
});
