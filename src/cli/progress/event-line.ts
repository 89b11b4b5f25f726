import type { RunEvent } from "../../model/events.js";
import { formatDuration } from "../../util/duration.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import type { Colors } from "../output/styles.js";
import { untilText } from "../output/times.js";
import { agentWarning, logText } from "../output/log-text.js";
import { taskName } from "../output/task-name.js";
import { visibleLine } from "../output/visible-text.js";
import { filesText, reloadText } from "./reload-text.js";
import type { TaskProgress } from "./run-tally.js";

export interface EventLineOptions {
  colors: Colors;
  /** The task before this event. */
  before: TaskProgress | undefined;
  /** Also what tasks write. */
  verbose: boolean;
  /** A command line as this call has to type it. */
  commandText(command: string): string;
}

/** The log line of an event; undefined for events that are only noise there. */
export function eventLine(event: RunEvent, options: EventLineOptions): string | undefined {
  const { colors, verbose } = options;
  if (isReload(event)) return reloadText(event, options);
  const news = newsOf(event, options);
  // On one line, whatever names and reasons hold; only a log has several, each behind its task's name.
  if (news !== undefined) return visibleLine(news);
  const log = verbose && !isPrinted(event) ? logText(event) : "";
  return log === "" ? undefined : colors.dim(`  ${log}`);
}

function isReload(event: RunEvent): event is Parameters<typeof reloadText>[0] {
  const { type } = event;
  return type === "WorkflowReloaded" || type === "WorkflowReloadFailed" || type === "WorkflowReloadUnsafe";
}

/** A task's console output is seen as it is printed. */
function isPrinted(event: RunEvent): boolean {
  return event.type === "NodeOutput" && event.source === "console";
}

function newsOf(event: RunEvent, options: EventLineOptions): string | undefined {
  const { colors, verbose } = options;
  switch (event.type) {
    case "RunStarted":
      return `${colors.cyan("▶")} ${event.workflowName} ${colors.bold(event.runId)}${event.resumed ? " continues" : ""}`;
    case "NodeStarted":
      return `${colors.cyan("→")} ${taskName(event)}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}`;
    case "NodeFinished":
      return `${colors.green("✓")} ${taskName(event)} ${attemptFacts(event, options, event.cached === true)}`;
    case "NodeFailed":
      return `${colors.red("✗")} ${taskName(event)} ${attemptFacts(event, options)}: ${serializedErrorLine(event.error)}`;
    case "NodeRetrying":
      return `${colors.yellow("↻")} ${taskName(event)} is tried again ${untilText(event.retryAtMs, event.timestampMs)}`;
    case "NodeSkipped":
      return colors.dim(`- ${taskName(event)} skipped${byOf(event.skippedBy)}${reasonOf(event.reason)}`);
    case "NodeCompletedByHand":
      return `${colors.green("✓")} ${taskName(event)} completed by hand${byOf(event.completedBy)}${reasonOf(event.note)}`;
    case "InterventionRefused":
      return colors.yellow(
        `! ${event.action} ${taskName(event)}${byOf(event.by)} was refused: ${event.message}`,
      );
    case "NodeCancelled":
      return colors.dim(`⊘ ${taskName(event)} cancelled${reasonOf(event.reason)}`);
    case "NodeInterrupted":
      return `${colors.yellow("!")} ${taskName(event)} was interrupted${reasonOf(event.reason)}; the attempt does not count`;
    case "NodeWaitingApproval":
      return `${colors.yellow("…")} waiting for approval: ${taskName(event)}`;
    case "NodeWaitingEvent":
      return `${colors.yellow("…")} waiting for signal ${event.event}: ${taskName(event)}`;
    case "NodeWaitingTimer":
      return `${colors.yellow("…")} ${taskName(event)} continues ${untilText(event.firesAtMs, event.timestampMs)}`;
    case "NodeWaitingQuota":
      return `${colors.yellow("…")} ${taskName(event)} waits for quota, which resets ${untilText(event.resetAtMs, event.timestampMs)}`;
    case "ApprovalGranted":
    case "ApprovalAutoApproved":
      return `${colors.green("✓")} ${taskName(event)} approved${byOf(event.decidedBy)}`;
    case "ApprovalDenied":
      return `${colors.red("✗")} ${taskName(event)} denied${byOf(event.decidedBy)}`;
    case "DecisionRefused":
      return colors.yellow(
        `! the decision on ${taskName(event)}${byOf(event.decidedBy)} was refused: ${event.message}`,
      );
    case "LoopAdvanced":
      return colors.dim(`⟳ loop ${event.loopId} iteration ${event.iteration}`);
    case "LoopFinished":
      return event.exhausted ? colors.yellow(`! loop ${event.loopId} stopped at maxIterations`) : undefined;
    case "RunContinuedAsNew":
      return `${colors.cyan("↪")} continues as run ${colors.bold(event.newRunId)}`;
    case "StructuredOutputDowngraded":
      return colors.yellow(
        `! ${taskName(event)}: the agent has no native structured output; mode ${event.mode}`,
      );
    case "AgentEvent": {
      const warning = agentWarning(event.event);
      return warning === undefined ? undefined : colors.yellow(`! ${taskName(event)}: ${warning}`);
    }
    case "WorkflowReloadDetected":
      return verbose ? colors.dim(`⟲ changed: ${filesText(event.changedFiles)}`) : undefined;
    case "ScorerFinished":
      return verbose
        ? colors.dim(`  ${event.scorerName} of ${taskName(event)}: ${event.score.toFixed(3)}`)
        : undefined;
    case "ScorerFailed":
      return colors.yellow(
        `! ${event.scorerName} of ${taskName(event)} has no score: ${serializedErrorLine(event.error)}`,
      );
    case "AlertFired":
      return colors.yellow(`! ${event.severity} ${event.rule}: ${event.message}`);
    default:
      return undefined;
  }
}

/** `(attempt 2, 49.0s)` */
function attemptFacts(
  { attempt, timestampMs }: { attempt: number; timestampMs: number },
  { before, colors }: EventLineOptions,
  cached = false,
): string {
  const took = before?.state === "in-progress" ? `, ${formatDuration(timestampMs - before.sinceMs)}` : "";
  return colors.dim(`(attempt ${attempt}${took}${cached ? ", cached" : ""})`);
}

function reasonOf(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}

function byOf(decidedBy: string | undefined): string {
  return decidedBy === undefined ? "" : ` by ${decidedBy}`;
}
