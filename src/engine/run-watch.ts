import type { EventBody } from "../model/events.js";
import type { RunRow } from "../model/run.js";
import type { PastEnds } from "../observability/trace/past-ends.js";
import type { RunSnapshot } from "../store/index.js";

/**
 * Watches the runs of a process. Called at once and often, so it must be quick;
 * it must not throw.
 */
export interface RunWatch {
  /** This process has the run's lease and begins to drive it; again for each run of a chain. */
  onDrive?(run: Pick<RunRow, "runId" | "epoch" | "config">): void;
  /** A stored run is about to continue here: what it had open when its last owner left it. */
  onResume(stored: LeftSnapshot): void;
  /** An event of a run is committed. */
  onEvent(body: EventBody, runId: string, timestampMs: number): void;
  /** The tree of a frame was made into what is stored of it. @param tookMs milliseconds */
  onSnapshot?(tookMs: number): void;
  /** A turn of a run is over. */
  onTurn(runId: string, load: RunLoad): void;
  /** This process no longer drives the run, whatever the reason. */
  onRelease(runId: string): void;
}

/** A stored run as its last owner left it. */
export interface LeftSnapshot
  extends Pick<RunSnapshot, "run" | "nodes" | "approvals" | "openAttempts" | "intents"> {
  /** When that gave its last sign of life, epoch ms. */
  readonly lastSeenMs: number | null;
  readonly past: PastEnds | undefined;
}

/** How busy a run is. */
export interface RunLoad {
  /** Nodes that could start and find no free slot. */
  readonly queued: number;
  /** Attempts in progress. */
  readonly running: number;
  /** Attempts that may be in progress at once. */
  readonly slots: number;
}
