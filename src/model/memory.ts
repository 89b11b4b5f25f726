/** Whose memory it is. */
export interface MemoryNamespace {
  kind: "workflow" | "agent" | "user" | "global";
  id: string;
}

/** What a task is to remember and recall. Kept with the task; nothing reads it yet. */
export interface TaskMemoryConfig {
  namespace?: string | MemoryNamespace;
  recall?: { namespace?: string | MemoryNamespace; query?: string; topK?: number };
  remember?: { namespace?: string | MemoryNamespace; key?: string };
  threadId?: string;
}
