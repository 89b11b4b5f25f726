import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/memory/create-memory-store.js";
import { createService, listMemoryFacts } from "../../src/index.js";
import { pageMemoryFacts } from "../../src/operations/read/page-memory-facts.js";
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
      const page = await pageMemoryFacts(databases, { limit, ...(cursor !== "" && { cursor }) });
      keys.push(...page.facts.map(({ key }) => key));
      cursor = page.nextCursor;
    }
    expect(keys).toEqual(["k", "a", "b", "c", "c", "y", "z", "É", "\u{1F600}"]);
  }
  const { facts } = await pageMemoryFacts(databases, { namespace: "agent:x" });
  expect(facts).toMatchObject([{ namespace: "agent:x", key: "k" }]);
  const ofOne = await pageMemoryFacts(databases, { namespace: "user:ada", key: "y" });
  expect(ofOne).toMatchObject({ facts: [{ namespace: "user:ada", key: "y" }], nextCursor: null });
});

it.each([[{ namespace: "tenant:a" }], [{ cursor: "x" }], [{ limit: 0 }], [{ key: "" }]])(
  "%j is refused",
  async (filter) => {
    await expect(listMemoryFacts(database(), filter as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  },
);

it("listMemoryFacts takes a workflow, its db or a ServiceDb, and nothing else", async () => {
  const { Workflow, service, db } = createService({});
  const workflow = service(() => <Workflow name="w" />);
  await createMemoryStore(workflow as never).setFact("user:ada", "k", 1);
  for (const target of [workflow, db, new ServiceDb(db)]) {
    expect(await listMemoryFacts(target as never)).toMatchObject({ facts: [{ key: "k" }], nextCursor: null });
  }
  await expect(listMemoryFacts(undefined as never)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { option: "target" },
  });
});
