import { type TaskKey, parseTaskKey, taskKey } from "../../model/address.js";
import type { EventBody } from "../../model/events.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import { isTerminal, isWaiting, type RunStatus } from "../../model/run.js";
import type { Attributes, Span } from "../../tracing/span.js";
import type { SpanContext } from "../../tracing/span-context.js";
import { startSpan } from "../../tracing/tracer.js";
import { type EndedWait, type LeftIntent, OpenWaits } from "./open-waits.js";
import type { PastEnds } from "./past-ends.js";
import {
  attemptContext,
  callerOf,
  driveContext,
  runContext,
  type TracedAttempt,
  type TracedRow,
} from "./run-contexts.js";
import { runSpan } from "./run-span.js";
import { endOf } from "./task-end.js";

/** The open parts of a stored run when its last owner left it. */
export interface OpenWork {
  readonly nodes: readonly NodeRow[];
  readonly openAttempts: readonly AttemptRow[];
  readonly intents: readonly LeftIntent[];
  /** When its last owner gave its last sign of life, epoch ms. */
  readonly lastSeenMs: number | null;
  /** Absent of a run that has never ended. */
  readonly past?: PastEnds | undefined;
}

interface About {
  readonly workflowName: string;
  /** Epoch ms. */
  readonly startedMs: number;
  readonly status: RunStatus;
}

const NO_WORK: OpenWork = { nodes: [], openAttempts: [], intents: [], lastSeenMs: null };

/**
 * The spans of one run, as far as this process writes them. All lie directly below the span of the run, whose id
 * follows from the run's: the process that ends the run sends it, and no span is lost below that of a process
 * which was killed.
 */
export class TracedRun {
  readonly context: SpanContext;
  readonly #row: Pick<TracedRow, "runId" | "config">;
  readonly #workflowName: string;
  readonly #ends: number;
  /** Epoch ms; null before it is driven again. */
  #startedMs: number | null;
  /** The latest end of what lies in it, epoch ms. */
  #latestMs = 0;
  #drive: Span | undefined;
  readonly #attempts = new Map<string, Span>();
  /** Attempts of a process that is gone. */
  readonly #left: Map<string, AttemptRow>;
  readonly #lastSeenMs: number | null;
  readonly #waits: OpenWaits;
  /** As this process leaves it; null while it does not. */
  #leaves: RunStatus | null;
  #error: unknown;

  constructor(
    row: Pick<TracedRow, "runId" | "config">,
    { workflowName, startedMs, status }: About,
    { nodes, openAttempts, intents, lastSeenMs, past } = NO_WORK,
  ) {
    this.#row = row;
    this.#ends = past?.ends ?? 0;
    this.context = runContext(row.runId, row.config, this.#ends);
    this.#workflowName = workflowName;
    this.#startedMs = past === undefined ? startedMs : past.reopenedMs;
    this.#leaves = isWaiting(status) ? status : null;
    this.#lastSeenMs = lastSeenMs;
    this.#left = new Map(openAttempts.map((attempt) => [taskKey(attempt), attempt]));
    this.#waits = new OpenWaits(nodes, intents);
  }

  /** The span that it lies below. */
  get caller(): SpanContext | undefined {
    return callerOf(this.#row.config);
  }

  /** The span of an attempt that is under way here. */
  contextOf(key: TaskKey): SpanContext | undefined {
    return this.#attempts.get(key)?.context;
  }

  /** The span of an attempt, of any process. */
  attemptContext(attempt: TracedAttempt): SpanContext {
    return attemptContext(this.context, this.#row.runId, attempt);
  }

  /** This process begins to drive it, after `epoch - 1` others. */
  drive({ resumed, epoch }: { resumed: boolean; epoch: number }, startMs: number): void {
    this.#startedMs ??= startMs;
    const { runId } = this.#row;
    const isFirst = !resumed || epoch === 1;
    this.#drive = this.#begin(`drive ${this.#workflowName}`, startMs, {
      context: driveContext(this.context, runId, epoch),
      attributes: { "treadle.run.resumed": resumed },
      links: isFirst ? [] : [driveContext(this.context, runId, epoch - 1)],
    });
  }

  record(body: EventBody, atMs: number): void {
    const wait = this.#waits.follow(body, atMs);
    if (wait !== undefined) this.#addWait(wait);
    switch (body.type) {
      case "FrameCommitted":
        return this.#addFrame(body, atMs);
      case "NodeStarted":
        this.#startAttempt(body, atMs);
        return;
      case "RunStatusChanged":
        this.#leaves = isWaiting(body.status) || isTerminal(body.status) ? body.status : null;
        return;
      case "RunFailed":
        this.#error = body.error;
        this.#leaves = "failed";
        return;
      case "RunFinished":
        this.#leaves = "finished";
        return;
      case "RunCancelled":
        this.#leaves = "cancelled";
        return;
      case "RunContinuedAsNew":
        this.#leaves = "continued";
        return;
      case "RunInterrupted":
        this.#leaves = "running";
        return;
      default:
        return this.#endAttempt(body, atMs);
    }
  }

  /** Something that lies in it has ended then, epoch ms. */
  extend(endMs: number): void {
    this.#latestMs = Math.max(this.#latestMs, endMs);
  }

  /**
   * This process drives it no longer. The process that ends a wait sends its span; spans of attempts that
   * another process has taken from this one, that process sends.
   * @returns when the run's span ended, epoch ms; undefined when it has not
   */
  close(nowMs: number): number | undefined {
    const status = this.#leaves;
    if (status === null) return undefined;
    const isOver = isTerminal(status);
    for (const span of this.#attempts.values()) this.#end(span, nowMs);
    if (isOver) for (const wait of this.#waits.endAll(status, nowMs)) this.#addWait(wait);
    this.#drive?.set({ "treadle.run.status": status });
    if (this.#drive !== undefined) this.#end(this.#drive, Math.max(nowMs, this.#latestMs));
    if (!isOver) return undefined;
    const endMs = Math.max(nowMs, this.#latestMs);
    const about = {
      workflowName: this.#workflowName,
      startedMs: this.#startedMs ?? endMs,
      ends: this.#ends,
      status,
    };
    const span = runSpan(this.#row, about);
    if (this.#error !== undefined) span.fail(this.#error);
    span.end(endMs);
    return endMs;
  }

  /** From the moment that its turn began until it is committed, which is now. */
  #addFrame({ frameNo, reason }: Extract<EventBody, { type: "FrameCommitted" }>, startMs: number): void {
    const attributes = { "treadle.frame.number": frameNo, "treadle.frame.reason": reason };
    this.#end(this.#begin("frame", startMs, { attributes }), Date.now());
  }

  #startAttempt(address: TracedAttempt, startMs: number): Span {
    const span = this.#begin(`task ${address.nodeId}`, startMs, {
      context: this.attemptContext(address),
      attributes: { ...placeOf(address), "treadle.node.attempt": address.attempt },
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
    if (span === undefined) return;
    span.set({ "treadle.node.status": status });
    if (error !== undefined) span.fail(error);
    this.#end(span, left === undefined ? atMs : Math.min(atMs, this.#lastSeenMs ?? atMs));
  }

  /** Begun and ended at once: the process that saw its beginning may not see its end. */
  #addWait({ key, kind, outcome, sinceMs, untilMs }: EndedWait): void {
    const address = parseTaskKey(key);
    const span = this.#begin(`wait ${address.nodeId}`, sinceMs, {
      attributes: { ...placeOf(address), "treadle.wait.kind": kind, "treadle.wait.outcome": outcome },
    });
    if (outcome === "denied") span.fail({ code: "APPROVAL_DENIED", message: "The request was denied." });
    this.#end(span, untilMs);
  }

  #begin(
    name: string,
    startMs: number,
    { attributes, ...rest }: { attributes: Attributes; context?: SpanContext; links?: SpanContext[] },
  ): Span {
    return startSpan({
      name,
      parent: this.context,
      startMs: Math.max(startMs, this.#startedMs ?? startMs),
      attributes: { "treadle.run.id": this.#row.runId, ...attributes },
      ...rest,
    });
  }

  #end(span: Span, endMs: number): void {
    span.end(endMs);
    this.extend(span.endMs ?? endMs);
  }
}

function placeOf({ nodeId, iteration }: { nodeId: string; iteration: number }): Attributes {
  return { "treadle.node.id": nodeId, "treadle.node.iteration": iteration };
}
