import { taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { SpanContext } from "../../tracing/span-context.js";
import { type OpenWork, type TracedAttempt, TracedRun, type TracedRow } from "./traced-run.js";

/** A stored run that continues here. */
export interface TracedResume extends OpenWork {
  readonly run: RunRow;
}

/**
 * Spans of the runs that this process drives or ends, each run by its `runKey`.
 *
 * Trace and span ids follow from the run's id, so that the process which resumes a run continues with its trace.
 */
export class RunTracer {
  readonly #begun = new Map<string, TracedRow>();
  readonly #runs = new Map<string, TracedRun>();

  /** This process is about to drive the run. */
  begin(row: TracedRow, key: string): void {
    this.#begun.set(key, row);
  }

  /** A stored run is about to continue, or to be ended, here. */
  resume(stored: TracedResume, key: string): void {
    const { run } = stored;
    const startedMs = run.startedAtMs ?? run.createdAtMs;
    this.#runs.set(key, new TracedRun(run, { workflowName: run.workflowName, startedMs }, stored));
  }

  onEvent(body: EventBody, key: string, atMs: number): void {
    if (body.type === "RunStarted") return this.#start(body, key, atMs);
    this.#runs.get(key)?.record(body, atMs);
  }

  /** The span of an attempt that has been started; undefined when there is none. */
  contextOf(key: string, address: { nodeId: string; iteration: number }): SpanContext | undefined {
    return this.#runs.get(key)?.contextOf(taskKey(address));
  }

  /** The span of a run, and of an attempt of it whose output is being scored; it may be that of another process. */
  scoredContextOf(
    key: string,
    attempt: TracedAttempt,
  ): { run: SpanContext; attempt: SpanContext } | undefined {
    const run = this.#runs.get(key);
    return run === undefined ? undefined : { run: run.context, attempt: run.attemptContext(attempt) };
  }

  /** This process drives the run no longer. */
  end(key: string): void {
    this.#begun.delete(key);
    this.#runs.get(key)?.close(Date.now());
    this.#runs.delete(key);
  }

  #start(
    { workflowName, resumed }: Extract<EventBody, { type: "RunStarted" }>,
    key: string,
    startedMs: number,
  ): void {
    const row = this.#begun.get(key);
    // Whoever collects spans has come since the driving began.
    if (row === undefined) return;
    const run = this.#runs.get(key) ?? new TracedRun(row, { workflowName, startedMs });
    run.drive({ workflowName, resumed, epoch: row.epoch }, startedMs);
    this.#runs.set(key, run);
  }
}
