import { surviveStrayErrors } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RunEvent } from "../../model/events.js";
import { isWaiting, type RunResult } from "../../model/run.js";
import type { RunOptions } from "../../model/run-options.js";
import {
  driveWorkflow,
  explainRun,
  getFrame,
  listNodes,
  stayAwake,
  wakeTime,
} from "../../operations/index.js";
import type { HotReload } from "../../hot/hot-reload.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { stableJson } from "../../util/stable-json.js";
import { ServiceDb } from "../../store/index.js";
import { EXIT, type StopSignal } from "../exit-codes.js";
import { createLineReporter } from "../progress/line-reporter.js";
import { type ProgressReporter, silentReporter } from "../progress/reporter.js";
import { RunTally } from "../progress/run-tally.js";
import { createTreeReporter } from "../progress/tree-reporter.js";
import { onInterrupt } from "../runs/interrupts.js";
import { userName } from "../runs/user-name.js";
import type { Terminal } from "../terminal.js";
import { captureConsole } from "../output/console-capture.js";
import { waitLine } from "./wait-line.js";

export interface DriveRequest {
  workflow: ServiceWorkflow;
  options: RunOptions;
  terminal: Terminal;
  /**
   * true: stay also for decisions and signals that have no deadline. false: stay for nothing. Undefined:
   * stay as long as something will move the run by itself.
   */
  wait?: boolean | undefined;
  /** Newer code as it is saved; absent: the code stays what it is. */
  hot?: HotReload | undefined;
  progress: "normal" | "verbose" | "quiet";
  /** A command line as this call has to type it. */
  commandText(command: string): string;
  /** Text for an uncaught error that belongs to no attempt in progress. */
  strayText(error: Error): string;
  /** Called once the run is in the database and under way. */
  onBegun?(): void;
  /** Called when the workflow's code ends the process. There is no time for anything but synchronous writes. */
  onExit(code: number, runId: string): void;
}

export interface DriveOutcome {
  result: RunResult;
  tally: RunTally;
  /** The signal that made this process released the run. */
  stoppedBy: StopSignal | undefined;
}

/**
 * Drives a run to its end, or as far as it gets without people, and shows its
 * progress. The first interrupt releases the run and leaves it resumable, the
 * second one ends the process.
 */
export async function driveInTerminal(request: DriveRequest): Promise<DriveOutcome> {
  const { workflow, options, wait, hot } = request;
  const db = new ServiceDb(workflow.db);
  const known =
    options.resume === true && options.runId !== undefined ? await listNodes(db, options.runId) : [];
  const tally = new RunTally(Date.now(), known);
  const reporter = createReporter(request, { tally, db });
  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  const forget = onInterrupt((signal) => {
    stoppedBy = signal;
    reporter.print(`${signal}: stopping; once more ends at once.\n`);
    stop.abort(
      new ServiceError(
        "PROCESS_ABORTED",
        `${signal} to process ${process.pid} of ${userName(request.terminal.environment)}`,
      ),
    );
  });
  const release = captureConsole((text) => reporter.print(text));
  let isBegun = false;
  const onProgress = (event: RunEvent) => {
    if (!isBegun) request.onBegun?.();
    isBegun = true;
    reporter.event(event);
  };
  const onExit = (code: number) => {
    // The second interrupt ends the process on purpose.
    if (stoppedBy !== undefined) return;
    process.exitCode = EXIT.runFailed;
    release();
    reporter.close();
    request.onExit(code, tally.runId);
  };
  process.once("exit", onExit);
  const perish = surviveStrayErrors((error) => reporter.print(`${request.strayText(error)}\n`));
  const watch = { signal: stop.signal, onProgress };
  try {
    const first = await driveWorkflow(workflow, { ...options, ...watch }, hot);
    if (wait === false) return { result: first, tally, stoppedBy };
    const sayWhy = createWaitReport(request, { db, reporter, signal: stop.signal });
    const result = await stayAwake(db, await sayWhy(first), {
      wait: wait === true,
      signal: stop.signal,
      resume: async (runId, { isForCode }) => {
        const continues = { ...watch, runId, resume: true, isForCode };
        return sayWhy(await driveWorkflow(hot?.current ?? workflow, continues, hot));
      },
      ...(hot !== undefined && { news: hot }),
    });
    return { result, tally, stoppedBy };
  } finally {
    process.off("exit", onExit);
    perish();
    release();
    forget();
    reporter.close();
  }
}

/** Says what a waiting run waits for, each time that it is something else. The result is the one that is given. */
function createWaitReport(
  { terminal, progress, wait }: DriveRequest,
  { db, reporter, signal }: { db: ServiceDb; reporter: ProgressReporter; signal: AbortSignal },
): (result: RunResult) => Promise<RunResult> {
  let said = "";
  return async (result) => {
    if (!isWaiting(result.status) || signal.aborted || progress === "quiet") return result;
    const { blockers } = await explainRun(db, result.runId);
    const waits = stableJson(blockers);
    if (waits === said) return result;
    said = waits;
    const { colors } = terminal.err;
    const wakeAtMs = await wakeTime(db.store, result.runId);
    const line = waitLine(blockers, { colors, nowMs: Date.now(), wait: wait === true, wakeAtMs });
    if (line !== undefined) reporter.print(`${line}\n`);
    return result;
  };
}

function createReporter(
  { terminal, progress, commandText }: DriveRequest,
  { tally, db }: { tally: RunTally; db: ServiceDb },
): ProgressReporter {
  const { err } = terminal;
  if (progress === "quiet") return silentReporter(tally, err);
  const options = { tally, verbose: progress === "verbose", commandText };
  if (!err.isTty || terminal.environment.TERM === "dumb") return createLineReporter(err, options);
  return createTreeReporter(err, {
    ...options,
    readTree: async (runId, frameNo) => (await getFrame(db, runId, frameNo)).xml,
  });
}
