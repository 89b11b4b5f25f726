import { ServiceError } from "../../errors/service-error.js";
import type { MemoryMessage, MemoryThread } from "../../model/memory.js";
import { messageTable, threadTable } from "../engine-tables/memory.js";
import type { MessageFilter, ThreadFilter } from "../memory-records.js";
import type { Query, SqlValue, Statement } from "../sql-port.js";
import { insertAlone, isNoneOf, isOneOf, placeholders } from "./rows.js";

const messages = messageTable.pick("id", "threadId", "role", "contentJson", "runId", "nodeId", "createdAtMs");

/** Whether the row was inserted. */
export function insertThread(thread: MemoryThread): Query<boolean> {
  return {
    sql: `${insertAlone(threadTable)} ON CONFLICT (thread_id) DO NOTHING RETURNING thread_id`,
    params: threadTable.write(thread),
    read: (rows) => rows.length > 0,
  };
}

/** The thread is there, and has news. */
export function ensureThread(thread: MemoryThread): Statement {
  return {
    sql: `${insertAlone(threadTable)} ON CONFLICT (thread_id) DO UPDATE SET
      updated_at_ms = CASE WHEN _service_memory_threads.updated_at_ms > excluded.updated_at_ms
        THEN _service_memory_threads.updated_at_ms ELSE excluded.updated_at_ms END`,
    params: threadTable.write(thread),
  };
}

export function getThread(threadId: string): Query<MemoryThread | undefined> {
  return {
    sql: `SELECT ${threadTable.names()} FROM _service_memory_threads WHERE thread_id = ?`,
    params: [threadId],
    read: (rows) => threadTable.first(rows),
  };
}

export function listThreads({ namespace, limit }: ThreadFilter): Query<MemoryThread[]> {
  const where = namespace === undefined ? "" : " WHERE namespace = ?";
  return {
    sql: `SELECT ${threadTable.names()} FROM _service_memory_threads${where}
      ORDER BY updated_at_ms DESC, thread_id LIMIT ?`,
    params: [...(namespace === undefined ? [] : [namespace]), limit],
    read: (rows) => threadTable.all(rows),
  };
}

export function deleteThread(threadId: string): Statement[] {
  return ["_service_memory_messages", "_service_memory_threads"].map((table) => ({
    sql: `DELETE FROM ${table} WHERE thread_id = ?`,
    params: [threadId],
  }));
}

const CHANGED = messages.otherNames.filter((name) => name !== "id" && name !== "created_at_ms");

const UPSERT = `INSERT INTO _service_memory_messages (${messages.names()}) VALUES (${placeholders(messages.width)})
  ON CONFLICT (id) DO UPDATE SET ${CHANGED.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** A message of a task, with an id that only this task gives. It keeps its place when the task says it anew. */
export function writeMessage(message: MemoryMessage): Statement {
  return { sql: UPSERT, params: messages.write(message) };
}

/** A message of any writer, into a thread that is there. */
export function saveMessage(message: MemoryMessage): Statement[] {
  const { id, threadId, createdAtMs } = message;
  return [
    {
      sql: `UPDATE _service_memory_threads
        SET updated_at_ms = CASE WHEN updated_at_ms > ? THEN updated_at_ms ELSE ? END WHERE thread_id = ?`,
      params: [createdAtMs, createdAtMs, threadId],
      expectRows: 1,
      onMiss: () => threadNotFound(threadId),
    },
    {
      sql: `${UPSERT} WHERE _service_memory_messages.thread_id = excluded.thread_id`,
      params: messages.write(message),
      expectRows: 1,
      onMiss: () =>
        new ServiceError("INVALID_INPUT", `The id "${id}" is that of a message of another thread.`, {
          details: { id, threadId },
        }),
    },
  ];
}

export function threadNotFound(threadId: string): ServiceError {
  return new ServiceError("MEMORY_THREAD_NOT_FOUND", `There is no thread "${threadId}" in memory.`, {
    details: { threadId },
  });
}

/** The newest, oldest first. */
export function listMessages({ threadId, limit, without = [] }: MessageFilter): Query<MemoryMessage[]> {
  const params: SqlValue[] = [threadId, ...without];
  if (limit !== undefined) params.push(limit);
  return {
    sql: `SELECT ${messages.names()} FROM _service_memory_messages WHERE thread_id = ?
      AND ${isNoneOf("id", without.length)}
      ORDER BY created_at_ms DESC, message_no DESC${limit === undefined ? "" : " LIMIT ?"}`,
    params,
    read: (rows) => messages.all(rows).reverse(),
  };
}

export function countMessages(threadId: string): Query<number> {
  return {
    sql: "SELECT count(*) FROM _service_memory_messages WHERE thread_id = ?",
    params: [threadId],
    read: (rows) => rows[0]?.[0] as number,
  };
}

/** Puts a message in the place of another. @param onMiss that one is gone */
export function replaceMessage(replaced: string, by: MemoryMessage, onMiss: () => Error): Statement {
  const { id, threadId, role, contentJson } = by;
  return {
    sql: `UPDATE _service_memory_messages SET id = ?, role = ?, content_json = ?, run_id = NULL, node_id = NULL
      WHERE thread_id = ? AND id = ?`,
    params: [id, role, messages.writeMember("contentJson", contentJson), threadId, replaced],
    expectRows: 1,
    onMiss,
  };
}

/** @param onMiss one of them is gone */
export function deleteMessages(threadId: string, ids: readonly string[], onMiss: () => Error): Statement {
  return {
    sql: `DELETE FROM _service_memory_messages WHERE thread_id = ? AND ${isOneOf("id", ids.length)}`,
    params: [threadId, ...ids],
    expectRows: ids.length,
    onMiss,
  };
}
