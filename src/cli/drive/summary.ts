import { parseTaskKey } from "../../model/address.js";
import { errorCodeEntry } from "../../errors/codes.js";
import { deserializeError, type SerializedError } from "../../errors/ensure-error.js";
import { elementPlace, placeFrame, placeText } from "../../loader/source-place.js";
import { hasEndedForGood, type RunResult } from "../../model/run.js";
import { type Blocker, remedyOf, remedyCommand } from "../../operations/index.js";
import { formatDuration } from "../../util/duration.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { serializedErrorLine, stackLines } from "../output/thrown-text.js";
import type { Colors } from "../output/styles.js";
import { oneLine } from "../output/table.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { deadlineText } from "../output/times.js";
import { visibleLine, visibleText } from "../output/visible-text.js";
import { taskName } from "../output/task-name.js";
import { compactNumber } from "../progress/tree-reporter.js";
import type { DriveOutcome } from "./drive-in-terminal.js";

export interface SummaryOptions {
  colors: Colors;
  nowMs: number;
  /** The blockers of a waiting run; empty for one that does not wait. */
  blockers: readonly Blocker[];
  /** The words in front of a command's name. */
  runner: string;
  /** undefined: no other command finds the run, which was in memory only. */
  commandText: ((command: string) => string) | undefined;
}

/** Waits and failed tasks listed at most, so that all that matters fits on the last 15 lines. */
const MOST_LISTED = 5;

const LONGEST_MESSAGE = 300;

/** Of a stack; `treadle node` has all of them. */
const MOST_FRAMES = 4;

/** How driving a run ended, in at most 15 lines: what happened, the first cause, and what to type next. */
export function summaryText(outcome: DriveOutcome, options: SummaryOptions): string {
  const lines = summaryLines(outcome, options);
  if (options.commandText === undefined && !hasEndedForGood(outcome.result)) {
    lines.push("  its database is in memory: no other command finds the run, and it ends with this process");
  }
  return lines.join("\n");
}

function summaryLines(outcome: DriveOutcome, options: SummaryOptions): string[] {
  const { result, stoppedBy } = outcome;
  if (stoppedBy !== undefined && (result.status === "running" || result.status.startsWith("waiting-"))) {
    return stoppedLines(outcome, options);
  }
  switch (result.status) {
    case "finished":
    case "continued":
      return [headline(outcome, options), ...toleratedLines(result, options)];
    case "failed":
      return [headline(outcome, options), ...failureLines(result, options)];
    case "cancelled":
    case "running":
      return [headline(outcome, options), ...resumeLine(result.runId, options)];
    default:
      return [headline(outcome, options), ...waitLines(result, options)];
  }
}

function headline({ result, tally }: DriveOutcome, { colors, nowMs }: SummaryOptions): string {
  const { status, runId } = result;
  const signs: Partial<Record<RunResult["status"], string>> = {
    finished: colors.green("✓"),
    continued: colors.green("✓"),
    failed: colors.red("✗"),
    cancelled: colors.dim("⊘"),
  };
  const counts = tally.counts();
  const facts = [
    counts.finished !== undefined && `${counts.finished} finished`,
    counts.failed !== undefined && `${counts.failed} failed`,
    counts.skipped !== undefined && `${counts.skipped} skipped`,
    tally.tokens > 0 && `${compactNumber(tally.tokens)} tokens`,
  ].filter(Boolean);
  const took = formatDuration(nowMs - tally.startedAtMs);
  const details = facts.length > 0 ? colors.dim(` (${facts.join(", ")})`) : "";
  const sign = signs[status] ?? colors.yellow("…");
  return `${sign} run ${colors.bold(runId)} ${status} after ${took}${details}`;
}

/** A success that hides failures is none: say what was tolerated. */
function toleratedLines(result: RunResult, options: SummaryOptions): string[] {
  const { colors } = options;
  const lines: string[] = [];
  const keys = result.failedChildKeys ?? [];
  if (keys.length > 0) {
    const names = keys.slice(0, MOST_LISTED).map((key) => taskName(parseTaskKey(key)));
    const more = keys.length > names.length ? ` and ${keys.length - names.length} more` : "";
    const [first] = keys.map(parseTaskKey);
    lines.push(
      colors.yellow(
        `! finished with ${keys.length} failed ${plural("task", keys.length)}: ${visibleLine(names.join(", "))}${more}`,
      ),
      ...commandLine(options, "see", nodeCommand("node", result.runId, first)),
    );
  }
  const loops = result.exhaustedLoops ?? [];
  if (loops.length > 0) {
    lines.push(
      colors.yellow(
        `! ${plural("loop", loops.length)} stopped at maxIterations: ${visibleLine(loops.join(", "))}`,
      ),
    );
  }
  return lines;
}

function failureLines({ runId, error }: RunResult, options: SummaryOptions): string[] {
  const { colors } = options;
  if (error === undefined) return [];
  const at = addressOf(error);
  const where =
    at === undefined
      ? ""
      : ` in ${colors.bold(visibleLine(taskName(at)))}${at.attempt > 0 ? ` (attempt ${at.attempt})` : ""}`;
  const lines = [
    `  cause ${colors.red(oneLine(serializedErrorLine(error), LONGEST_MESSAGE))}`,
    ...stackLines(error)
      .slice(0, MOST_FRAMES)
      .map((frame, index) => `  ${index === 0 ? "stack" : "     "} ${oneLine(frame, LONGEST_MESSAGE)}`),
    `  first${where === "" ? " no task: the run itself" : where}`,
    ...placeLines(error),
  ];
  if (error.code !== undefined && errorCodeEntry(error.code) !== undefined) {
    lines.push(`  docs  ${options.runner} help errors ${error.code}`);
  }
  if (at !== undefined) {
    lines.push(...commandLine(options, "see", nodeCommand("node", runId, at)));
    lines.push(...commandLine(options, "logs", treadleCommand("logs", [runId], { node: at.nodeId })));
  }
  // A resume keeps what a person has decided, and a row that cannot be used.
  const again = remedyOf({ code: error.code, details: { ...error.details, runId } });
  if (again?.action === "retry-task") {
    const flags = { iteration: again.iteration || undefined, up: true };
    const retry = treadleCommand("retry-task", [runId, again.nodeId], flags);
    const what = error.code === "APPROVAL_DENIED" ? "ask again" : "make the row anew";
    return [...lines, ...nextLine(options, what, retry)];
  }
  // The same code from the same rows would end in the same way.
  if (error.code === "SCHEDULER_ERROR") {
    const resume = remedyCommand({ action: "resume", runId, acceptWorkflowChange: true });
    lines.push(`  next  ${errorCodeEntry(error.code)?.next}`);
    return [...lines, ...nextLine(options, "mend the file, then", resume)];
  }
  return [...lines, ...resumeLine(runId, options)];
}

/** The element that the error is about, which is in no stack. */
function placeLines(error: SerializedError): string[] {
  const place = elementPlace(deserializeError(error));
  if (place === undefined) return [];
  const frame = placeFrame(place, process.cwd());
  const lines =
    frame === ""
      ? []
      : visibleText(frame)
          .split("\n")
          .map((line) => `        ${line}`);
  return [`  at    ${visibleLine(placeText(place))}`, ...lines];
}

function waitLines({ runId }: RunResult, options: SummaryOptions): string[] {
  const { blockers, colors, nowMs } = options;
  const lines = blockers.slice(0, MOST_LISTED).flatMap(({ summary, remedy, untilMs }) => {
    const until = untilMs === undefined ? "" : colors.dim(` (until ${deadlineText(untilMs, nowMs)})`);
    const what = `  ${oneLine(summary, LONGEST_MESSAGE)}${until}`;
    return remedy === null ? [what] : [what, ...nextLine(options, " ", remedyCommand(remedy))];
  });
  if (blockers.length > MOST_LISTED) {
    const more = `… and ${blockers.length - MOST_LISTED} more`;
    const all = options.commandText?.(remedyCommand({ action: "explain", runId }));
    lines.push(all === undefined ? `  ${more}` : `  ${more}: ${all}`);
  }
  return [...lines, ...nextLine(options, "then ", remedyCommand({ action: "resume", runId }))];
}

function stoppedLines({ result, stoppedBy }: DriveOutcome, options: SummaryOptions): string[] {
  const { colors, commandText } = options;
  const code = stoppedBy === undefined ? 1 : SIGNAL_EXIT[stoppedBy];
  const kept = commandText === undefined ? "" : " is kept as it is";
  return [
    `${colors.yellow("■")} stopped by ${stoppedBy} (exit ${code}); run ${colors.bold(result.runId)}${kept}`,
    ...resumeLine(result.runId, options),
  ];
}

function resumeLine(runId: string, options: SummaryOptions): string[] {
  return nextLine(options, "continue", remedyCommand({ action: "resume", runId }));
}

/** The command to look further. */
function commandLine({ commandText }: SummaryOptions, what: string, command: string): string[] {
  return commandText === undefined ? [] : [`  ${what.padEnd(5)} ${commandText(command)}`];
}

/** The command to get further. */
function nextLine({ colors, commandText }: SummaryOptions, what: string, command: string): string[] {
  return commandText === undefined ? [] : [`  ${what} ${colors.cyan(commandText(command))}`];
}

function nodeCommand(
  command: string,
  runId: string,
  at: { nodeId: string; iteration: number } | undefined,
): string {
  if (at === undefined) return remedyCommand({ action: "inspect", runId });
  return treadleCommand(command, [runId, at.nodeId], { iteration: at.iteration || undefined });
}

/** The task that an error's details name. */
function addressOf({
  details,
}: SerializedError): { nodeId: string; iteration: number; attempt: number } | undefined {
  const { nodeId, iteration, attempt } = (details ?? {}) as Record<string, unknown>;
  if (typeof nodeId !== "string") return undefined;
  return {
    nodeId,
    iteration: typeof iteration === "number" ? iteration : 0,
    attempt: typeof attempt === "number" ? attempt : 0,
  };
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
