import { type SerializedError, serializeError } from "../../errors/ensure-error.js";

/** In the environment of a process that was detached, until it has read it: the id for a new run, or empty. */
export const DETACHED_RUN = "TREADLE_DETACHED_RUN";

/** What a detached process tells the one that has started it, once. */
export type DetachedWord =
  /** Its run is in the database. `db`: to be named to find it, `url`: where it is served. */
  { runId: string; db?: string; url?: string } | { error: SerializedError };

/** This process as the one that was detached. */
export interface DetachedChild {
  /** For a new run. */
  runId: string | undefined;
  begun(word: { runId: string; db?: string; url?: string }): void;
  failed(error: unknown): void;
}

/** Undefined in a process that a person has called. What it starts must not take itself for one that was detached. */
export function detachedChild(environment: NodeJS.ProcessEnv): DetachedChild | undefined {
  const runId = environment[DETACHED_RUN];
  delete environment[DETACHED_RUN];
  if (runId === undefined || process.send === undefined) return undefined;
  let isReported = false;
  const send = (word: DetachedWord) => {
    if (isReported || !process.connected) return;
    isReported = true;
    // Whoever has started it may have gone.
    process.send?.(word, undefined, {}, () => process.connected && process.disconnect());
  };
  return {
    runId: runId === "" ? undefined : runId,
    begun: send,
    failed: (error) => send({ error: serializeError(error) }),
  };
}
