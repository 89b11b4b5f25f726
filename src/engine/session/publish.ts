import { ensureError } from "../../errors/ensure-error.js";
import type { RunEvent } from "../../model/events.js";
import type { RunCommit } from "../../store/contract.js";
import { toRunEvent } from "../turn/commit.js";
import type { RunWatch } from "../ports.js";

export interface Published {
  readonly runId: string;
  /** Committed already. */
  readonly events: RunCommit["events"];
  /** Whoever watches all runs of the process. */
  readonly watch: RunWatch | undefined;
  /** Whoever asked for this run. */
  readonly onProgress?: ((event: RunEvent) => void) | undefined;
}

/** Tells observers about committed events. An observer that throws must not stop what it observes. */
export function publish({ runId, events, watch, onProgress }: Published): void {
  if (watch === undefined && onProgress === undefined) return;
  for (const stored of events) {
    try {
      watch?.onEvent(stored.body, runId, stored.timestampMs);
      onProgress?.(toRunEvent(runId, stored));
    } catch (error) {
      process.emitWarning(`A listener of run ${runId} threw: ${ensureError(error).message}`);
    }
  }
}
