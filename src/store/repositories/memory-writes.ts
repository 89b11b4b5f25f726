import type { MemoryWrite } from "../memory-records.js";
import type { Statement } from "../sql-port.js";
import { writeFact } from "./memory-facts.js";
import { ensureThread, writeMessage } from "./memory-threads.js";

/** The memory write of a task, as statements of the commit that finishes it. */
export function memoryStatements({ fact, said }: MemoryWrite, nowMs: number): Statement[] {
  const statements = fact === undefined ? [] : writeFact({ ...fact, nowMs });
  if (said === undefined) return statements;
  const { threadId, namespace, messages } = said;
  statements.push(ensureThread({ threadId, namespace, createdAtMs: nowMs, updatedAtMs: nowMs }));
  for (const message of messages) {
    statements.push(writeMessage({ ...message, threadId, createdAtMs: nowMs }));
  }
  return statements;
}
