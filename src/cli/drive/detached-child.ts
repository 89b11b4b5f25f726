import { type SerializedError, serializeError } from "../../errors/ensure-error.js";

/** In the environment of a process that was detached, until it has read it: the id for a new run, or empty. */
export const DETACHED_RUN = "TREADLE_DETACHED_RUN";

/** The one message of a detached process to the one that has started it. */
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

/** Undefined in a process that a person has called. Processes that it starts must not take themselves for detached ones. */
export function detachedChild(environment: NodeJS.ProcessEnv): DetachedChild | undefined {
  const runId = environment[DETACHED_RUN];
  delete environment[DETACHED_RUN];
  if (runId === undefined || process.send === undefined) return undefined;
  let isReported = false;
  const send = (word: DetachedWord) => {
    if (isReported || !process.connected) return;
    isReported = true;
    // The process that has started it may have gone.
    process.send?.(word, undefined, {}, () => process.connected && process.disconnect());
  };
  return {
    runId: runId === "" ? undefined : runId,
    begun: send,
    failed: (error) => send({ error: serializeError(error) }),
  };
}
