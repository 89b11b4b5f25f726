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
  /** Attempts and waits in time, with a task beside them. */
  timeline: (runId: string, nodeId?: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "timeline", ...(nodeId === undefined ? [] : [nodeId])],
    query,
  }),
  /** A task, and without one the run, in the view of the run that this name has in an address. */
  beside(
    view: string | undefined,
    runId: string,
    nodeId?: string,
    query: ViewAddress["query"] = {},
  ): ViewAddress {
    if (view === "graph" || view === "timeline") return places[view](runId, nodeId, query);
    return nodeId === undefined ? places.run(runId, query) : places.node(runId, nodeId, query);
  },
  events: (runId: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "events"],
    query,
  }),
  frames: (runId: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["runs", runId, "frames"],
    query,
  }),
  inbox: (): ViewAddress => ({ parts: ["inbox"] }),
  catalog: (): ViewAddress => ({ parts: ["catalog"] }),
  workflow: (key: string, query: ViewAddress["query"] = {}): ViewAddress => ({
    parts: ["catalog", key],
    query,
  }),
  schedules: (): ViewAddress => ({ parts: ["schedules"] }),
  webhooks: (query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["webhooks"], query }),
  agents: (query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["agents"], query }),
  scores: (query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["scores"], query }),
  memory: (query: ViewAddress["query"] = {}): ViewAddress => ({ parts: ["memory"], query }),
  status: (): ViewAddress => ({ parts: ["status"] }),
};
