import type { MemoryMessage, MemoryThread } from "../../model/memory.js";
import { namespaceText } from "../../model/memory-namespace.js";
import { type ServiceDb, threadNotFound } from "../../store/index.js";

/** The newest conversations of several databases: the one that was written to last comes first. */
export async function newestThreads(
  databases: readonly ServiceDb[],
  { namespace, limit }: { namespace?: string; limit: number },
): Promise<MemoryThread[]> {
  const filter = { limit, ...(namespace !== undefined && { namespace: namespaceText(namespace) }) };
  const lists = await Promise.all(
    databases.map(async ({ store }) => {
      await store.prepare();
      return store.memory.listThreads(filter);
    }),
  );
  return lists
    .flat()
    .sort((a, b) => b.updatedAtMs - a.updatedAtMs)
    .slice(0, limit);
}

/** A conversation and its newest messages, oldest first. */
export interface Conversation {
  thread: MemoryThread;
  messages: MemoryMessage[];
  /** How many messages it has. */
  total: number;
}

/** The conversation of the first database that has it. @throws MEMORY_THREAD_NOT_FOUND */
export async function readConversation(
  databases: readonly ServiceDb[],
  { threadId, limit }: { threadId: string; limit: number },
): Promise<Conversation> {
  for (const { store } of databases) {
    await store.prepare();
    const thread = await store.memory.getThread(threadId);
    if (thread === undefined) continue;
    const messages = await store.memory.listMessages({ threadId, limit });
    return { thread, messages, total: await store.memory.countMessages(threadId) };
  }
  throw threadNotFound(threadId);
}
