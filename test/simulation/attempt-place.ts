import type { Awaitable } from "../../src/util/awaitable.js";

/** Where an attempt stands: its outcome depends on nothing else. */
export interface AttemptPlace {
  runId: string;
  nodeId: string;
  iteration: number;
}

/** What tasks may ask: how many of their attempts have failed, as far as that is committed. */
export type FailureCount = (place: AttemptPlace) => Awaitable<number>;
