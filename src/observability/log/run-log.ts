import type { EventBody } from "../../model/events.js";
import { isWaiting } from "../../model/run.js";
import { instantText } from "../../util/instant-text.js";
import type { Severity } from "./level.js";
import type { Logger } from "./logger.js";
import type { LogFields } from "./record.js";

type BodyOf<T> = Extract<EventBody, { type: T }>;
type Line = readonly [Severity, message: string, fields?: LogFields];

/** The log line of an event; undefined for none. */
type Lines = { readonly [T in EventBody["type"]]?: (event: BodyOf<T>) => Line | undefined };

/** Types that are absent here are logged at the level Trace, by their name. */
const LINES: Lines = {
  RunStarted: ({ workflowName, resumed }) => [
    "Info",
    resumed ? "run resumed" : "run started",
    { workflowName },
  ],
  RunStatusChanged: ({ status }) => (isWaiting(status) ? ["Info", "run waits", { status }] : undefined),
  RunInterrupted: ({ reason }) => ["Info", "run released", { reason }],
  RunFinished: ({ failedChildren }) => ["Info", "run finished", { failedChildren }],
  RunFailed: ({ error }) => ["Error", "run failed", failure(error)],
  RunCancelled: ({ reason, requestedBy }) => ["Info", "run cancelled", { reason, requestedBy }],
  RunContinuedAsNew: ({ newRunId }) => ["Info", "run continued as new", { newRunId }],
  RunPaused: ({ reason }) => ["Info", "run paused", { reason }],

  NodeStarted: () => ["Debug", "task started"],
  NodeFinished: ({ cached }) => ["Debug", "task finished", { cached }],
  NodeFailed: ({ error }) => ["Warn", "task failed", failure(error)],
  NodeRetrying: ({ retryAtMs }) => ["Info", "task is tried again", { retryAt: instantText(retryAtMs) }],
  NodeInterrupted: ({ reason }) => ["Warn", "task interrupted", { reason }],
  NodeCancelled: ({ reason }) => ["Debug", "task cancelled", { reason }],
  NodeWaitingQuota: ({ resetAtMs }) => [
    "Warn",
    "agents are out of quota",
    { resetAt: instantText(resetAtMs) },
  ],
  TaskHeartbeatTimeout: ({ timeoutMs }) => ["Warn", "task gave no sign of life", { timeoutMs }],
  ApprovalRequested: ({ title }) => ["Info", "approval requested", { title }],
  BudgetExceeded: ({ budget, limit, current }) => ["Warn", "budget used up", { budget, limit, current }],
  AlertFired: ({ rule, severity, message }) => ["Warn", "alert fired", { rule, severity, alert: message }],
};

/** Says of a committed event what is said of it, at the time it happened. */
export function logEvent(
  logger: Logger,
  body: EventBody,
  { runId, atMs }: { runId: string; atMs: number },
): void {
  const describe = LINES[body.type] as ((event: EventBody) => Line | undefined) | undefined;
  const line: Line | undefined = describe === undefined ? ["Trace", body.type] : describe(body);
  if (line === undefined || !logger.logs(line[0])) return;
  const [severity, message, fields] = line;
  logger.write({ atMs, severity, message, fields: { runId, ...placeOf(body), ...fields } });
}

function placeOf(body: EventBody): LogFields {
  const { nodeId, iteration, attempt } = body as { nodeId?: string; iteration?: number; attempt?: number };
  return { nodeId, iteration, attempt };
}

function failure({ code, message }: { code?: string | undefined; message: string }): LogFields {
  return { code, error: message };
}
