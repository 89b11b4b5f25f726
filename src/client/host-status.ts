import type { WorkerView } from "../operations/index.js";

/** How long something took, as far as it was counted. */
export interface CountedTimes {
  count: number;
  /** Null while none was counted, as the two that follow. */
  meanMs: number | null;
  /** Half of them took no longer; an upper bound. */
  p50Ms: number | null;
  /** 99 of 100 took no longer; an upper bound, null also where it is beyond what is counted. */
  p99Ms: number | null;
}

/** What the process of a gateway is at, and what it has counted since it began. */
export interface HostStatus {
  uptimeMs: number;
  memoryBytes: number;
  /** Runs that it drives now. */
  runsActive: number;
  /** Tasks with an attempt in progress. */
  nodesActive: number;
  /** Tasks that could start and wait for a free slot. */
  queueDepth: number;
  /** WebSockets that are open. */
  websockets: number;
  streams: number;
  /** Calls of methods that it has answered. */
  requests: number;
  /** Of these, those that failed on its side. */
  failedRequests: number;
  taskAttempts: number;
  failedAttempts: number;
  /** One read of a database. */
  dbRead: CountedTimes;
  /** One transaction, waiting for the disk included. */
  dbWrite: CountedTimes;
  /** Times that something was tried again because a database was locked. */
  dbRetries: number;
  databases: {
    path: string;
    dialect: "sqlite" | "postgres" | "pglite";
    /** How long it took to answer just now, milliseconds. */
    answersInMs: number;
  }[];
  workers: WorkerView[];
}
