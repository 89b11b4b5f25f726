import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { databasePath } from "../store/support/database.js";
import { memoryInTest } from "./support/store.js";

it("a fact that is damaged is refused by everybody who would read it, by table, row and column", async () => {
  const path = databasePath();
  const { memory } = memoryInTest({ path });
  await memory.setFact("user:ada", "k", "zebra");
  const db = new Database(path);
  db.exec(`UPDATE _service_memory_facts SET value_json = '{"a'`);
  db.close();
  const reads = [
    memory.getFact("user:ada", "k"),
    memory.listFacts("user:ada"),
    memory.recall({ namespace: "user:ada", query: "zebra" }),
  ];
  for (const read of reads) {
    await expect(read).rejects.toMatchObject({
      code: "STORAGE_ERROR",
      message: expect.stringContaining("in table _service_memory_facts: value_json"),
    });
  }
  // It can be replaced.
  await memory.setFact("user:ada", "k", "lion");
  expect(await memory.listFacts("user:ada")).toHaveLength(1);
});
