import type { MemoryOperations, NamespaceInput } from "../memory-store.js";

/** Which threads a processor tidies up. */
export interface ThreadChoice {
  /** Only this thread. @default all of the namespace */
  threadId?: string;
  /** Only threads of this namespace. @default all */
  namespace?: NamespaceInput;
}

export async function threadsOf(
  store: MemoryOperations,
  { threadId, namespace }: ThreadChoice,
): Promise<string[]> {
  if (threadId !== undefined) return [threadId];
  return (await store.listThreads(namespace)).map((thread) => thread.threadId);
}
