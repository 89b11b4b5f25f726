import { createMemoryStore } from "../../../src/memory/create-memory-store.js";

/** One of several processes that write facts of one namespace, and messages of one thread, at the same time. */
const [path = "", name = "", count = "0", threadId = ""] = process.argv.slice(2);
const memory = createMemoryStore(path);
for (let n = 0; n < Number(count); n += 1) {
  await memory.setFact("workflow:shared", `${name}-${n}`, { by: name, n });
  await memory.setFact("workflow:shared", "last", `${name}-${n}`);
  await memory.saveMessage({ threadId, role: name, contentJson: String(n) });
}
await memory.close();
