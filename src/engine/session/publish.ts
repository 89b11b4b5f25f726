import { notifyListener } from "../../errors/notify-listener.js";
import type { RunEvent } from "../../model/events.js";
import type { RunCommit } from "../../store/index.js";
import { toRunEvent } from "../turn/commit.js";
import type { RunWatch } from "../run-watch.js";

export interface Published {
  readonly runId: string;
  /** Committed already. */
  readonly events: RunCommit["events"];
  /** The observer of all runs of the process. */
  readonly watch: RunWatch | undefined;
  /** The caller that asked for this run. */
  readonly onProgress?: ((event: RunEvent) => void) | undefined;
}

/** Tells observers about committed events. */
export function publish({ runId, events, watch, onProgress }: Published): void {
  if (watch === undefined && onProgress === undefined) return;
  const of = `run ${runId}`;
  for (const stored of events) {
    if (watch !== undefined) notifyListener(of, () => watch.onEvent(stored.body, runId, stored.timestampMs));
    if (onProgress !== undefined) notifyListener(of, () => onProgress(toRunEvent(runId, stored)));
  }
}
