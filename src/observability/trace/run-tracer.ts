import { taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import { isTerminal, isWaiting, type RunRow } from "../../model/run.js";
import type { Span } from "../../tracing/span.js";
import { parseTraceparent, type SpanContext, spanIdOf, traceIdOf } from "../../tracing/span-context.js";
import { startSpan } from "../../tracing/tracer.js";
import { endOf } from "./task-end.js";

/** The run as it was when its driving began here. */
export type TracedRow = Pick<RunRow, "runId" | "epoch" | "config">;

/** A run: its id, which its spans are made of, and its `runKey`, by which it is known here. */
export interface TracedId {
  readonly runId: string;
  readonly key: string;
}

interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
}

/** One node: all of its attempts lie below the frame that its first one came from. */
interface TracedNode {
  readonly parent: SpanContext;
  span: Span | undefined;
}

interface TracedRun {
  readonly span: Span;
  frame: SpanContext;
  readonly nodes: Map<string, TracedNode>;
}

/**
 * Spans of runs: one for each time that a process drives a run, its frames below it, and
 * below each frame the attempts of the tasks that it has started.
 *
 * Trace and span ids follow from the run's id, so that the process which resumes a
 * run continues with its trace, names the drive before its own, and puts what it does
 * about an attempt of before below that attempt.
 */
export class RunTracer {
  readonly #begun = new Map<string, TracedRow>();
  readonly #runs = new Map<string, TracedRun>();

  /** This process is about to drive the run. */
  begin(row: TracedRow, key: string): void {
    this.#begun.set(key, row);
  }

  onEvent(body: EventBody, of: TracedId, atMs: number): void {
    if (body.type === "RunStarted") return this.#start(body, of, atMs);
    const run = this.#runs.get(of.key);
    if (run !== undefined) record(run, body, atMs);
  }

  /** The span of an attempt that has been started; undefined when there is none. */
  contextOf(key: string, address: { nodeId: string; iteration: number }): SpanContext | undefined {
    return this.#runs.get(key)?.nodes.get(taskKey(address))?.span?.context;
  }

  /** The span of an attempt whose output is being scored; it may be that of another process. */
  scoredContextOf(key: string, attempt: TracedAttempt): SpanContext | undefined {
    const run = this.#runs.get(key);
    return run === undefined ? undefined : attemptContext(run, attempt);
  }

  /** This process drives the run no longer. */
  end(key: string): void {
    this.#begun.delete(key);
    const run = this.#runs.get(key);
    if (run === undefined) return;
    this.#runs.delete(key);
    const now = Date.now();
    for (const { span } of run.nodes.values()) span?.end(now);
    run.span.end(now);
  }

  #start(
    { workflowName, resumed }: Extract<EventBody, { type: "RunStarted" }>,
    { runId, key }: TracedId,
    startMs: number,
  ): void {
    const { epoch, config } = this.#begun.get(key) ?? { epoch: 1, config: undefined };
    const caller = parseTraceparent(config?.traceparent);
    const before = config?.continuation?.fromRunId;
    const drive = (id: string, number: number): SpanContext => ({
      traceId: caller?.traceId ?? traceIdOf(id),
      spanId: spanIdOf(`${id}:${number}`),
      isSampled: caller?.isSampled ?? true,
    });
    // The drive before this one; of a run that continues from another, the first of that one.
    const links =
      resumed && epoch > 1 ? [drive(runId, epoch - 1)] : before === undefined ? [] : [drive(before, 1)];
    const span = startSpan({
      name: `run ${workflowName}`,
      context: drive(runId, epoch),
      parent: caller,
      startMs,
      attributes: {
        "treadle.run.id": runId,
        "treadle.workflow.name": workflowName,
        "treadle.run.resumed": resumed,
        "treadle.run.continued_from": before,
      },
      links,
    });
    this.#runs.get(key)?.span.end(startMs);
    this.#runs.set(key, { span, frame: span.context, nodes: new Map() });
  }
}

function record(run: TracedRun, body: EventBody, atMs: number): void {
  switch (body.type) {
    case "FrameCommitted":
      run.frame = frameSpan(run, body, atMs).context;
      return;
    case "NodeStarted":
      return startAttempt(run, body, atMs);
    case "RunStatusChanged":
      if (isWaiting(body.status) || isTerminal(body.status))
        run.span.set({ "treadle.run.status": body.status });
      return;
    case "RunFailed":
      run.span.set({ "treadle.run.status": "failed" });
      run.span.fail(body.error);
      return;
    case "RunFinished":
    case "RunCancelled":
    case "RunInterrupted":
    case "RunContinuedAsNew":
      run.span.set({ "treadle.run.status": RUN_ENDS[body.type] });
      return;
    default:
      return endAttempt(run, body, atMs);
  }
}

const RUN_ENDS = {
  RunFinished: "finished",
  RunCancelled: "cancelled",
  RunInterrupted: "running",
  RunContinuedAsNew: "continued",
} as const;

/** From the moment that its turn began until it is committed, which is now. */
function frameSpan(
  run: TracedRun,
  body: Extract<EventBody, { type: "FrameCommitted" }>,
  startMs: number,
): Span {
  const span = startSpan({
    name: "frame",
    parent: run.span.context,
    startMs,
    attributes: { "treadle.frame.number": body.frameNo, "treadle.frame.reason": body.reason },
  });
  span.end(Date.now());
  return span;
}

function startAttempt(
  run: TracedRun,
  body: Extract<EventBody, { type: "NodeStarted" }>,
  startMs: number,
): void {
  const { nodeId, iteration, attempt } = body;
  const key = taskKey(body);
  const parent = run.nodes.get(key)?.parent ?? run.frame;
  const span = startSpan({
    name: `task ${nodeId}`,
    context: attemptContext(run, body),
    parent,
    startMs,
    attributes: {
      "treadle.run.id": run.span.attributes.get("treadle.run.id"),
      "treadle.node.id": nodeId,
      "treadle.node.iteration": iteration,
      "treadle.node.attempt": attempt,
    },
  });
  run.nodes.set(key, { parent, span });
}

function attemptContext({ span }: TracedRun, attempt: TracedAttempt): SpanContext {
  const { traceId, isSampled } = span.context;
  const runId = String(span.attributes.get("treadle.run.id"));
  return { traceId, spanId: spanIdOf(`${runId}:${taskKey(attempt)}:${attempt.attempt}`), isSampled };
}

function endAttempt(run: TracedRun, body: EventBody, atMs: number): void {
  const end = endOf(body);
  if (end === undefined) return;
  const node = run.nodes.get(end.key);
  if (node === undefined) return;
  node.span?.set({ "treadle.node.status": end.status });
  if (end.error !== undefined) node.span?.fail(end.error);
  node.span?.end(atMs);
  node.span = undefined;
  if (end.isFinal) run.nodes.delete(end.key);
}
