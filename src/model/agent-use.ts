/** What one agent with one model was asked, over a span of time. */
export interface AgentUse {
  agentId: string;
  /** Null where the agent names none. */
  model: string | null;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Of the input tokens, those read from a cache. */
  cacheReadTokens: number;
  /** The newest call, epoch milliseconds. */
  lastUsedAtMs: number;
}

/** A task that waits until its agent may be asked again. */
export interface QuotaWait {
  runId: string;
  nodeId: string;
  iteration: number;
  /** Null where its error names none. */
  agentId: string | null;
  /** When it is asked again, epoch milliseconds. */
  resetAtMs: number | null;
}
