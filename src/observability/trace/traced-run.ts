import { type TaskKey, parseTaskKey, taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import { isTerminal, isWaiting, type RunRow, type RunStatus } from "../../model/run.js";
import type { Span } from "../../tracing/span.js";
import { parseTraceparent, type SpanContext, spanIdOf, traceIdOf } from "../../tracing/span-context.js";
import { startSpan } from "../../tracing/tracer.js";
import { endOf } from "./task-end.js";
import { type WaitKind, waitEndOf, waitOf } from "./wait-end.js";

/** The run as it was when its driving began here. */
export type TracedRow = Pick<RunRow, "runId" | "parentRunId" | "epoch" | "config">;

/** What a stored run had open when its last owner left it. */
export interface OpenWork {
  readonly nodes: readonly NodeRow[];
  readonly openAttempts: readonly AttemptRow[];
  /** When its last owner gave its last sign of life, epoch ms. */
  readonly lastSeenMs: number | null;
}

export interface TracedAttempt {
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
}

const NO_WORK: OpenWork = { nodes: [], openAttempts: [], lastSeenMs: null };

/**
 * The spans of one run, as far as this process writes them. All lie directly below the span of the run, whose id
 * follows from the run's: whichever process ends the run sends it, and no span is lost below that of a process
 * which was killed.
 */
export class TracedRun {
  readonly #runId: string;
  readonly #span: Span;
  readonly #startedMs: number;
  #drive: Span | undefined;
  readonly #attempts = new Map<string, Span>();
  /** Attempts of a process that is gone. */
  readonly #left: Map<string, AttemptRow>;
  readonly #lastSeenMs: number | null;
  readonly #waits = new Map<string, { kind: WaitKind; sinceMs: number }>();
  #isOver = false;

  constructor(
    row: Omit<TracedRow, "epoch">,
    about: { workflowName: string; startedMs: number },
    { nodes, openAttempts, lastSeenMs } = NO_WORK,
  ) {
    this.#runId = row.runId;
    this.#startedMs = about.startedMs;
    this.#span = startRunSpan(row, about);
    this.#lastSeenMs = lastSeenMs;
    this.#left = new Map(openAttempts.map((attempt) => [taskKey(attempt), attempt]));
    for (const node of nodes) {
      if (node.waitingSinceMs === null || !isWaiting(node.state as RunStatus)) continue;
      const kind = node.state.slice("waiting-".length) as WaitKind;
      this.#waits.set(taskKey(node), { kind, sinceMs: node.waitingSinceMs });
    }
  }

  get context(): SpanContext {
    return this.#span.context;
  }

  /** The span of an attempt that is under way here. */
  contextOf(key: TaskKey): SpanContext | undefined {
    return this.#attempts.get(key)?.context;
  }

  /** The span of an attempt, whichever process it is of. */
  attemptContext(attempt: TracedAttempt): SpanContext {
    const { traceId, isSampled } = this.context;
    const spanId = spanIdOf(`${this.#runId}:${taskKey(attempt)}:${attempt.attempt}`);
    return { traceId, spanId, isSampled };
  }

  /** This process begins to drive it, after `epoch - 1` others. */
  drive({ workflowName, resumed, epoch }: Drive, startMs: number): void {
    const context = (number: number): SpanContext => ({
      ...this.context,
      spanId: spanIdOf(`${this.#runId}:${number}`),
    });
    this.#drive?.end(startMs);
    this.#drive = startSpan({
      name: `drive ${workflowName}`,
      context: context(epoch),
      parent: this.context,
      startMs,
      attributes: { "treadle.run.id": this.#runId, "treadle.run.resumed": resumed },
      links: resumed && epoch > 1 ? [context(epoch - 1)] : [],
    });
  }

  record(body: EventBody, atMs: number): void {
    this.#endWait(body, atMs);
    const wait = waitOf(body);
    if (wait !== undefined && !this.#waits.has(wait.key)) {
      this.#waits.set(wait.key, { kind: wait.kind, sinceMs: atMs });
    }
    switch (body.type) {
      case "FrameCommitted":
        return this.#frame(body, atMs);
      case "NodeStarted":
        this.#startAttempt(body, atMs);
        return;
      case "RunStatusChanged":
        if (isWaiting(body.status) || isTerminal(body.status)) this.#setStatus(body.status);
        return;
      case "RunFailed":
        this.#span.fail(body.error);
        return this.#end("failed");
      case "RunFinished":
        return this.#end("finished");
      case "RunCancelled":
        return this.#end("cancelled");
      case "RunContinuedAsNew":
        return this.#end("continued");
      case "RunInterrupted":
        return this.#setStatus("running");
      default:
        return this.#endAttempt(body, atMs);
    }
  }

  /** This process drives it no longer. What the run still waits for is told by the process that ends the wait. */
  close(nowMs: number): void {
    for (const span of this.#attempts.values()) span.end(nowMs);
    this.#drive?.end(nowMs);
    if (!this.#isOver) return;
    const outcome = String(this.#span.attributes.get("treadle.run.status"));
    for (const key of this.#waits.keys()) this.#wait(key, outcome, nowMs);
    this.#span.end(nowMs);
  }

  #setStatus(status: RunStatus): void {
    this.#span.set({ "treadle.run.status": status });
    this.#drive?.set({ "treadle.run.status": status });
  }

  #end(status: RunStatus): void {
    this.#setStatus(status);
    this.#isOver = true;
  }

  /** From the moment that its turn began until it is committed, which is now. */
  #frame(body: Extract<EventBody, { type: "FrameCommitted" }>, startMs: number): void {
    const span = startSpan({
      name: "frame",
      parent: this.context,
      startMs,
      attributes: { "treadle.frame.number": body.frameNo, "treadle.frame.reason": body.reason },
    });
    span.end(Date.now());
  }

  #startAttempt(address: TracedAttempt, startMs: number): Span {
    const span = startSpan({
      name: `task ${address.nodeId}`,
      context: this.attemptContext(address),
      parent: this.context,
      startMs,
      attributes: { ...this.#about(address), "treadle.node.attempt": address.attempt },
    });
    this.#attempts.set(taskKey(address), span);
    return span;
  }

  #endAttempt(body: EventBody, atMs: number): void {
    const end = endOf(body);
    if (end === undefined) return;
    const { key, status, error } = end;
    const left = this.#left.get(key);
    const span = this.#attempts.get(key) ?? (left && this.#startAttempt(left, left.startedAtMs));
    this.#attempts.delete(key);
    this.#left.delete(key);
    span?.set({ "treadle.node.status": status });
    if (error !== undefined) span?.fail(error);
    span?.end(left === undefined ? atMs : Math.min(atMs, this.#lastSeenMs ?? atMs));
  }

  #endWait(body: EventBody, atMs: number): void {
    const end = waitEndOf(body);
    if (end !== undefined) this.#wait(end.key, end.outcome, atMs);
  }

  /** Begun and ended at once: the process that saw its beginning may not see its end. */
  #wait(key: string, outcome: string, endMs: number): void {
    const wait = this.#waits.get(key);
    if (wait === undefined) return;
    this.#waits.delete(key);
    const address = parseTaskKey(key as TaskKey);
    const span = startSpan({
      name: `wait ${address.nodeId}`,
      parent: this.context,
      startMs: Math.max(wait.sinceMs, this.#startedMs),
      attributes: {
        ...this.#about(address),
        "treadle.wait.kind": wait.kind,
        "treadle.wait.outcome": outcome,
      },
    });
    if (outcome === "denied") span.fail({ code: "APPROVAL_DENIED", message: "The request was denied." });
    span.end(endMs);
  }

  #about({ nodeId, iteration }: { nodeId: string; iteration: number }) {
    return { "treadle.run.id": this.#runId, "treadle.node.id": nodeId, "treadle.node.iteration": iteration };
  }
}

interface Drive {
  workflowName: string;
  resumed: boolean;
  epoch: number;
}

/**
 * Below the caller's span, but for two that may well outlive that: a subflow's run, which lies below the run of the
 * task, and one that continues another, which is linked to it.
 */
function startRunSpan(
  { runId, parentRunId, config }: Omit<TracedRow, "epoch">,
  { workflowName, startedMs }: { workflowName: string; startedMs: number },
): Span {
  const caller = parseTraceparent(config.traceparent);
  const before = config.continuation?.fromRunId;
  const isChild = parentRunId !== null && before === undefined;
  const runSpan = (id: string): SpanContext => ({
    traceId: caller?.traceId ?? traceIdOf(id),
    spanId: spanIdOf(id),
    isSampled: caller?.isSampled ?? true,
  });
  const links = before !== undefined ? [runSpan(before)] : isChild && caller !== undefined ? [caller] : [];
  return startSpan({
    name: `run ${workflowName}`,
    context: runSpan(runId),
    parent: isChild ? runSpan(parentRunId) : before === undefined ? caller : undefined,
    startMs: startedMs,
    attributes: {
      "treadle.run.id": runId,
      "treadle.workflow.name": workflowName,
      "treadle.run.continued_from": before,
    },
    links,
  });
}
