import type { ViewAddress } from "./router.js";

/** Addresses of the views. */
export const places = {
  runs: (query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["runs"], query }),
  run: (runId: string, query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["runs", runId], query }),
  node: (runId: string, nodeId: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "nodes", nodeId],
    query,
  }),
  /** The graph, with a task beside it. */
  graph: (runId: string, nodeId?: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "graph", ...(nodeId === undefined ? [] : [nodeId])],
    query,
  }),
  events: (runId: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "events"],
    query,
  }),
  inbox: (): ViewAddress => ({ parts: ["inbox"] }),
  catalog: (): ViewAddress => ({ parts: ["catalog"] }),
  workflow: (key: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["catalog", key],
    query,
  }),
  schedules: (): ViewAddress => ({ parts: ["schedules"] }),
  status: (): ViewAddress => ({ parts: ["status"] }),
};
