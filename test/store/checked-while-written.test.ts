import { expect, it } from "vitest";
import { z } from "zod";
import { schemas } from "../conformance/store/fixtures.js";
import { memoryInTest } from "../memory/support/store.js";
import { bundleScript, runScript } from "./support/bundled-process.js";
import { databasePath, openStore } from "./support/database.js";

it("a sound database is called sound by a process that had looked at it before others wrote", async () => {
  const path = databasePath();
  const { memory } = memoryInTest({ path });
  const { threadId } = await memory.createThread("workflow:shared");
  const store = openStore(path, schemas);
  store.prepare();
  // What a connection has cached of the search index is what made it complain.
  store.connection.use().db.prepare("SELECT count(*) FROM _service_memory_words").get();
  expect(() => store.checkIntegrity()).not.toThrow();
  const script = await bundleScript("../../memory/support/writer.ts");
  for (const name of ["p0", "p1", "p2"]) {
    await runScript(script, path, name, "30", threadId);
    expect(() => store.checkIntegrity()).not.toThrow();
    await memory.recall({ namespace: "workflow:shared", query: name, topK: 5 });
    store.connection.use().db.prepare("SELECT count(*) FROM _service_memory_words").get();
    openStore(path, { [`more${name}`]: z.object({ n: z.number() }) }).prepare();
    expect(() => store.checkIntegrity()).not.toThrow();
  }
});
