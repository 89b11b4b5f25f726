import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/memory/create-memory-store.js";
import { listMemoryFacts } from "../../src/operations/read/list-memory-facts.js";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import { ServiceDb } from "../../src/store/service-db.js";

function database(): ServiceDb {
  return new ServiceDb(createSqliteDb({ path: ":memory:", schemas: {} }).db);
}

it("pages have the facts of all databases by namespace and key, each of them once", async () => {
  const databases = [database(), database()];
  const [one, other] = databases.map((db) => createMemoryStore(db));
  for (const [memory, keys] of [
    [one, ["a", "c", "z", "É"]],
    [other, ["b", "c", "y", "\u{1F600}"]],
  ] as const) {
    for (const key of keys) await memory?.setFact("user:ada", key, key);
  }
  await other?.setFact("agent:x", "k", 1);
  for (const limit of [1, 2, 3, 9]) {
    const keys: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await listMemoryFacts(databases, { limit, ...(cursor !== "" && { cursor }) });
      keys.push(...page.facts.map(({ key }) => key));
      cursor = page.nextCursor;
    }
    expect(keys).toEqual(["k", "a", "b", "c", "c", "y", "z", "É", "\u{1F600}"]);
  }
  const { facts } = await listMemoryFacts(databases, { namespace: "agent:x" });
  expect(facts).toMatchObject([{ namespace: "agent:x", key: "k" }]);
});

it.each([[{ namespace: "tenant:a" }], [{ cursor: "x" }], [{ limit: 0 }], [{ key: "k" }]])(
  "%j is refused",
  async (filter) => {
    await expect(listMemoryFacts([database()], filter as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  },
);
