import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";
import { inSpan } from "../tracing/tracer.js";
import { truncateUtf8, utf8Length } from "../util/bounded-text.js";
import type { EffectReport, ToolCallReport, ToolContext } from "./tool-context.js";

/** The AI SDK's options for `execute` beside the input. All optional for calls from code. */
export interface ToolCallOptions {
  /** The SDK's id of this call. */
  toolCallId?: string;
  /** Ends the call. */
  abortSignal?: AbortSignal | undefined;
  /** The SDK's conversation so far, which no tool of ours looks at. */
  messages?: readonly unknown[];
  /** The SDK's own, which no tool of ours looks at. */
  experimental_context?: unknown;
}

/** One running call. */
export interface ToolCall {
  readonly toolName: string;
  readonly context: ToolContext;
  /** Same for the same call of every attempt, different for every call of one attempt. */
  readonly idempotencyKey: string;
  /** Fires on abort of the task, of the generation, and on the time limit. Its reason is a ServiceError. */
  readonly signal: AbortSignal;
  /** Cuts text to `maxOutputBytes`, says so in the text, and remembers it for the report. */
  cap(text: string): string;
  /** For results that are complete in form and still lack something. */
  noteTruncation(): void;
}

export interface ToolCallRequest {
  toolName: string;
  context: ToolContext;
  options?: ToolCallOptions | undefined;
  /** Whether the call may change something outside its own result. @default false */
  sideEffect?: boolean;
  /** Arguments of a call that can be undone: it is told to `onEffect`. */
  undoable?: { args: unknown } | undefined;
  /** Replaces the context's time limit. */
  timeoutMs?: number | undefined;
}

/** Numbers, times, bounds and reports one call. `perform` must stop when its signal fires. */
export async function runToolCall<T>(
  request: ToolCallRequest,
  perform: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const { context, toolName } = request;
  const { seq, ordinal } = context.nextCall(toolName);
  const identity = {
    toolName,
    seq,
    ...(request.options?.toolCallId !== undefined && { toolCallId: request.options.toolCallId }),
  };
  const idempotencyKey = callKey(request, ordinal);
  const tell = (effect: Pick<EffectReport, "outcome" | "result">) => {
    if (request.undoable === undefined) return;
    context.onEffect?.({ toolName, seq, idempotencyKey, args: request.undoable.args, ...effect });
  };
  let truncated = false;
  let isBegun = false;
  const limit = startLimit(request);
  const call: ToolCall = {
    toolName,
    context,
    idempotencyKey,
    signal: limit.signal,
    noteTruncation() {
      truncated = true;
    },
    cap(text) {
      const cut = cutText(text, context.maxOutputBytes);
      truncated ||= cut.truncated;
      return cut.text;
    },
  };
  let startedAt = context.clock.now();
  let status: "success" | "error" = "error";
  context.onToolStart?.({ ...identity, sideEffect: request.sideEffect ?? false });
  try {
    limit.signal.throwIfAborted();
    tell({ outcome: "unknown" });
    isBegun = true;
    if (request.sideEffect === true && context.beforeEffect !== undefined) {
      await orAborted(limit.signal, () => context.beforeEffect?.());
      limit.signal.throwIfAborted();
    }
    limit.begin();
    startedAt = context.clock.now();
    const result = await inToolSpan(identity, () => perform(call));
    status = "success";
    tell({ outcome: "done", result });
    return result;
  } catch (error) {
    if (isBegun && status === "error") tell({ outcome: "failed" });
    throw error;
  } finally {
    limit.release();
    const report = { ...identity, durationMs: context.clock.now() - startedAt, status, truncated };
    countCall(report);
    context.onToolCall?.(report);
  }
}

function callKey({ context, toolName, undoable }: ToolCallRequest, ordinal: number): string {
  const key = `${context.idempotencyKey}:${toolName}:${ordinal}`;
  const { revertedAttempt } = context;
  return undoable === undefined || revertedAttempt === undefined ? key : `${key}:after-${revertedAttempt}`;
}

function inToolSpan<T>(
  { toolName, toolCallId }: Pick<ToolCallReport, "toolName" | "toolCallId">,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toolName,
    "gen_ai.tool.call.id": toolCallId,
    "gen_ai.tool.type": "function",
  };
  return inSpan({ name: `execute_tool ${toolName}`, attributes }, work);
}

function countCall({ durationMs, status, truncated }: ToolCallReport): void {
  serviceMetrics.toolCallsTotal.add();
  if (status === "error") serviceMetrics.toolCallsErrorsTotal.add();
  if (truncated) serviceMetrics.toolOutputTruncatedTotal.add();
  serviceMetrics.toolDurationMs.observe(durationMs);
}

/** `work`, or a rejection with the signal's reason as soon as it fires: for code that may ignore the signal. */
export function orAborted<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The beginning of `text`, and a note saying so, together at most `maxBytes`. */
export function cutText(text: string, maxBytes: number): { text: string; truncated: boolean } {
  if (utf8Length(text) <= maxBytes) return { text, truncated: false };
  const note = `\n[output truncated: the limit is ${maxBytes} bytes]`;
  const kept = truncateUtf8(text, Math.max(0, maxBytes - utf8Length(note))).text;
  return { text: truncateUtf8(kept + note, maxBytes).text, truncated: true };
}

/** One signal for the three ways a call ends early; its time runs from `begin` on, and `release` detaches it from the long-lived ones. */
function startLimit({ context, toolName, options, timeoutMs = context.toolTimeoutMs }: ToolCallRequest) {
  const controller = new AbortController();
  const late = () =>
    controller.abort(
      new ServiceError("TOOL_TIMEOUT", `Tool ${toolName} ran longer than ${timeoutMs} ms.`, {
        details: { toolName, timeoutMs },
      }),
    );
  let disarm: (() => void) | undefined;
  const detach = [context.signal, options?.abortSignal].map((signal) => {
    const onAbort = () => controller.abort(abortError(toolName, signal?.reason));
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    return () => signal?.removeEventListener("abort", onAbort);
  });
  return {
    signal: controller.signal,
    begin() {
      disarm = context.clock.setDelay(timeoutMs, late);
    },
    release() {
      disarm?.();
      for (const stop of detach) stop();
    },
  };
}

function abortError(toolName: string, reason: unknown): ServiceError {
  if (ServiceError.is(reason)) return reason;
  return new ServiceError("TASK_ABORTED", `Tool ${toolName} was stopped before it had a result.`, {
    cause: reason,
  });
}
