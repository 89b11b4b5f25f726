export interface MemoryNamespace {
  kind: "workflow" | "agent" | "user" | "global";
  id: string;
}

export interface TaskMemoryConfig {
  namespace?: string | MemoryNamespace;
  recall?: { namespace?: string | MemoryNamespace; query?: string; topK?: number };
  remember?: { namespace?: string | MemoryNamespace; key?: string };
  threadId?: string;
}
