import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { databasePath } from "../store/support/database.js";
import { memoryInTest } from "./support/store.js";

/** Whether any file of the database holds the text. */
function isOnDisk(path: string, text: string): boolean {
  const files = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return files.some((name) => readFileSync(join(dirname(path), name)).includes(text));
}

it("what a deleted fact or thread held is in no file of the database any more, its words neither", async () => {
  const path = databasePath();
  const { memory, clock } = memoryInTest({ path });
  await memory.setFact("user:ada", "secret", "quagga");
  await memory.setFact("user:ada", "short", "okapi", 10);
  for (let n = 0; n < 30; n += 1) await memory.setFact("user:ada", `k${n}`, `word${n}`);
  const { threadId } = await memory.createThread("user:ada");
  await memory.saveMessage({ threadId, role: "user", contentJson: '"numbat"' });
  for (const word of ["quagga", "okapi", "numbat"]) expect(isOnDisk(path, word)).toBe(true);
  await memory.deleteFact("user:ada", "secret");
  await memory.deleteThread(threadId);
  clock.moveTo(clock.now() + 10);
  await memory.deleteExpiredFacts();
  for (const word of ["quagga", "okapi", "numbat"]) expect(isOnDisk(path, word)).toBe(false);
});
