import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { findExecutable } from "../../process/find-executable.js";
import { concealment } from "../../process/isolation/concealment.js";
import { currentProcessTerms } from "../../process/process-terms.js";
import { endCall, signalGroup, spawnSupervised } from "../../process/supervision.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { formatDuration } from "../../util/duration.js";
import { newId } from "../../util/ids.js";
import { Deadlines } from "./deadlines.js";
import { LineSplitter, type SplitLine } from "./line-splitter.js";

export interface ProcessRequest {
  /** Name on PATH, or a path. */
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the child. */
  env: Readonly<Record<string, string>>;
  /** Written at once; then stdin is closed, unless `keepStdinOpen`. */
  stdin?: string;
  keepStdinOpen?: boolean;
  /** How to get the command, as a sentence: part of the error when it is missing. */
  install?: string;
  /** Hard wall-clock limit, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Longest silence on stdout and stderr, in milliseconds. */
  idleTimeoutMs?: number | undefined;
  /** Longest line that is kept whole, in bytes. */
  maxLineBytes: number;
  signal?: AbortSignal | undefined;
  onStdoutLine(line: SplitLine, stdin: ProcessStdin): void;
  onStderrLine(line: SplitLine): void;
  /** @default systemClock */
  clock?: Clock;
  /** Between the polite signal and the deadly one, in milliseconds. @default 3000 */
  graceMs?: number;
}

export interface ProcessStdin {
  write(text: string): void;
  end(): void;
}

export interface ProcessExit {
  /** Null when a signal ended the process. */
  exitCode: number | null;
  killedBy: NodeJS.Signals | null;
}

/** How long the pipes of a dead process group may stay open before they are cut. */
const DRAIN_MS = 1_000;
const GRACE_MS = 3_000;
/** The time that is left to an agent, to save its session, when the engine has died. */
const WATCHDOG_SECONDS = 1;

/**
 * Runs one command in a process group of its own and reads it line by line. When this settles, no
 * process that the command started is left, be it in the background or detached.
 *
 * @throws PROCESS_SPAWN_FAILED, PROCESS_TIMEOUT, PROCESS_IDLE_TIMEOUT, PROCESS_ABORTED,
 * TOOL_ISOLATION_UNAVAILABLE when its task hides files that this host cannot hide
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessExit> {
  const { signal, clock = systemClock } = request;
  const path = await locate(request);
  const { hidden, isConcealing } = currentProcessTerms();
  const before = isConcealing && hidden.length > 0 ? await concealment(request.command, hidden) : [];
  if (signal?.aborted === true) throw aborted(request);
  const callId = newId();
  const child = start(request, [...before, path], callId);
  const closed = once(child, "close");
  closed.catch(() => undefined);

  let stoppedBy: Error | undefined;
  let disarmKill: (() => void) | undefined;
  const stop = (reason: Error) => {
    if (stoppedBy !== undefined) return;
    stoppedBy = reason;
    signalGroup(child, "SIGTERM");
    disarmKill = clock.setDelay(request.graceMs ?? GRACE_MS, () => signalGroup(child, "SIGKILL"));
  };
  const deadlines = new Deadlines({
    clock,
    timeoutMs: request.timeoutMs,
    idleTimeoutMs: request.idleTimeoutMs,
    onExpired: (kind) => stop(expired(request, kind)),
  });
  const onAbort = () => stop(aborted(request));
  signal?.addEventListener("abort", onAbort, { once: true });
  const endOfLines = readLines(child, request, { onData: () => deadlines.signOfLife(), onError: stop });
  try {
    const [exitCode, killedBy] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    await endCall(child, callId);
    await drained(closed, clock);
    endOfLines();
    if (stoppedBy !== undefined) throw stoppedBy;
    return { exitCode, killedBy };
  } catch (error) {
    throw error === stoppedBy ? error : spawnFailed(request, codeOf(error));
  } finally {
    deadlines.stop();
    disarmKill?.();
    signal?.removeEventListener("abort", onAbort);
    for (const stream of child.stdio) stream?.destroy();
  }
}

async function locate(request: ProcessRequest): Promise<string> {
  const { command, cwd, env, install } = request;
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    throw new ServiceError(
      "PROCESS_SPAWN_FAILED",
      `The working folder of "${command}" does not exist: ${cwd}.`,
      {
        details: { command, cwd },
      },
    );
  }
  const path = await findExecutable(command, { env, cwd });
  if (path !== undefined) return path;
  const how = install === undefined ? "" : ` ${install}`;
  throw new ServiceError("PROCESS_SPAWN_FAILED", `The command "${command}" is not on PATH.${how}`, {
    details: { command, cwd },
  });
}

function start(request: ProcessRequest, program: readonly string[], callId: string): ChildProcess {
  const { args, cwd, env, stdin, keepStdinOpen = false } = request;
  try {
    const argv = [...program, ...args];
    const child = spawnSupervised({ argv, cwd, env, callId, stdin: "pipe", graceSeconds: WATCHDOG_SECONDS });
    // A child that does not read its input, or is gone before it could, is not an error of ours.
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    if (stdin !== undefined) child.stdin?.write(stdin);
    if (!keepStdinOpen) child.stdin?.end();
    return child;
  } catch (error) {
    throw spawnFailed(request, codeOf(error));
  }
}

/** Returns what ends the reading: lines without an end come out, later bytes do not. */
function readLines(
  child: ChildProcess,
  request: ProcessRequest,
  on: { onData(): void; onError(error: Error): void },
): () => void {
  const { maxLineBytes } = request;
  const stdin: ProcessStdin = {
    write: (text) => void child.stdin?.write(text),
    end: () => void child.stdin?.end(),
  };
  // An error of a listener must not surface in an event handler of the stream, where it would be uncaught.
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (thrown) {
      on.onError(ensureError(thrown));
    }
  };
  const splitters = [
    new LineSplitter({ maxLineBytes, onLine: (line) => guarded(() => request.onStdoutLine(line, stdin)) }),
    new LineSplitter({ maxLineBytes, onLine: (line) => guarded(() => request.onStderrLine(line)) }),
  ];
  for (const [index, splitter] of splitters.entries()) {
    const stream = index === 0 ? child.stdout : child.stderr;
    stream?.on("data", (chunk: Buffer) => {
      on.onData();
      splitter.push(chunk);
    });
  }
  return () => {
    child.stdout?.removeAllListeners("data");
    child.stderr?.removeAllListeners("data");
    for (const splitter of splitters) splitter.end();
  };
}

async function drained(closed: Promise<unknown>, clock: Clock): Promise<void> {
  let disarm: (() => void) | undefined;
  const cut = new Promise<void>((resolve) => {
    disarm = clock.setDelay(DRAIN_MS, resolve);
  });
  await Promise.race([closed, cut]);
  disarm?.();
}

function expired(request: ProcessRequest, kind: "timeout" | "idle"): ServiceError {
  const { command, cwd, timeoutMs = 0, idleTimeoutMs = 0 } = request;
  return kind === "timeout"
    ? new ServiceError("PROCESS_TIMEOUT", `"${command}" ran longer than ${formatDuration(timeoutMs)}.`, {
        details: { command, cwd, timeoutMs },
      })
    : new ServiceError(
        "PROCESS_IDLE_TIMEOUT",
        `"${command}" printed nothing for ${formatDuration(idleTimeoutMs)}.`,
        { details: { command, cwd, idleTimeoutMs } },
      );
}

function aborted({ command, cwd, signal }: ProcessRequest): ServiceError {
  return new ServiceError("PROCESS_ABORTED", `"${command}" was stopped because its task was aborted.`, {
    details: { command, cwd },
    cause: signal?.reason,
  });
}

function spawnFailed({ command, cwd }: ProcessRequest, code: string): ServiceError {
  const why = code === "E2BIG" ? "its arguments are longer than the system allows" : code;
  return new ServiceError("PROCESS_SPAWN_FAILED", `The command "${command}" cannot be started: ${why}.`, {
    details: { command, cwd },
  });
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "unknown reason";
}
