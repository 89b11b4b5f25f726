import { taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { SpanContext } from "../../tracing/span-context.js";
import type { TracedAttempt, TracedRow } from "./run-contexts.js";
import { type OpenWork, TracedRun } from "./traced-run.js";

/** A stored run that continues here. */
export interface TracedResume extends OpenWork {
  readonly run: RunRow;
}

/** Spans of the runs that this process drives or ends, each run by its `runKey`. */
export class RunTracer {
  readonly #begun = new Map<string, TracedRow>();
  readonly #runs = new Map<string, TracedRun>();
  /** The same by the ids of their spans. */
  readonly #bySpan = new Map<string, TracedRun>();

  /** This process is about to drive the run. */
  begin(row: TracedRow, key: string): void {
    this.#begun.set(key, row);
  }

  /** A stored run is about to continue, or to be ended, here. */
  resume(stored: TracedResume, key: string): void {
    const { workflowName, startedAtMs, createdAtMs, status } = stored.run;
    const about = { workflowName, startedMs: startedAtMs ?? createdAtMs, status };
    this.#add(key, new TracedRun(stored.run, about, stored));
  }

  onEvent(body: EventBody, key: string, atMs: number): void {
    if (body.type === "RunStarted") return this.#start(body, key, atMs);
    this.#runs.get(key)?.record(body, atMs);
  }

  /** The span of a run that is driven here. */
  runContextOf(key: string): SpanContext | undefined {
    return this.#runs.get(key)?.context;
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
    const run = this.#runs.get(key);
    if (run === undefined) return;
    this.#runs.delete(key);
    this.#bySpan.delete(run.context.spanId);
    const endMs = run.close(Date.now());
    // A child run that its parent has given up ends after its parent's end was written.
    if (endMs !== undefined && run.caller !== undefined) this.#bySpan.get(run.caller.spanId)?.extend(endMs);
  }

  #start(
    { workflowName, resumed }: Extract<EventBody, { type: "RunStarted" }>,
    key: string,
    startedMs: number,
  ): void {
    const row = this.#begun.get(key);
    // The span exporter was added after the driving began.
    if (row === undefined) return;
    const run =
      this.#runs.get(key) ??
      this.#add(key, new TracedRun(row, { workflowName, startedMs, status: "running" }));
    run.drive({ resumed, epoch: row.epoch }, startedMs);
  }

  #add(key: string, run: TracedRun): TracedRun {
    this.#runs.set(key, run);
    this.#bySpan.set(run.context.spanId, run);
    return run;
  }
}
