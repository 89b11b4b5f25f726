import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { ServiceError } from "../../errors/service-error.js";
import type { Isolation } from "../../process/isolation/isolation.js";
import { type ProcessCgroup, processCgroup } from "../../process/isolation/process-cgroup.js";
import { endCall, signalGroup, spawnSupervised } from "../../process/supervision.js";
import { newId } from "../../util/ids.js";
import { OutputCollector } from "./output-collector.js";

export interface CommandRequest {
  argv: readonly string[];
  /** Confines the command; without one it has the rights of the engine's user. */
  isolation?: Isolation | undefined;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Kills the command, and all it started, when it fires. */
  signal: AbortSignal;
  /** Output kept, in bytes; the rest is read and dropped. */
  maxOutputBytes: number;
  /** What the command reads. @default nothing */
  input?: string;
  /** Is given all output as it comes. */
  onOutput?(chunk: Buffer): void;
}

export interface CommandResult {
  /** Null when a signal ended the command. */
  exitCode: number | null;
  killedBy: NodeJS.Signals | null;
  /** The command's stdout and stderr, in the order of writing. */
  output: string;
  /** False when the isolation could not be set up: then the command has not begun. */
  began: boolean;
}

/** How long the pipes of a dead process group may stay open before they are cut. */
const DRAIN_MS = 1_000;

/** Both streams become one, so that their order is kept. Descriptors 4 and 5 are for isolation tools. */
const ISOLATED = ["/bin/sh", "-c", 'exec 2>&1; exec "$@"', "sh"];
/** A command that cannot enter its cgroup does not begin. The watchdog beside it stays outside of the limit. */
const LIMITED = ["/bin/sh", "-c", 'exec 2>&1; echo 0 >"$1" || exit 1; shift; exec "$@"', "sh"];
const DIRECT = ["/bin/sh", "-c", 'exec 2>&1 4>&- 5<&-; exec "$@"', "sh"];

/**
 * Runs one command in a process group of its own. When this resolves, no process
 * that the command started is left, be it in the background or detached.
 * @throws PROCESS_SPAWN_FAILED
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const callId = newId();
  const maxProcesses = request.isolation?.maxProcesses;
  const cgroup = maxProcesses === undefined ? undefined : await processCgroup(callId, maxProcesses);
  try {
    return await runCall(request, callId, start(request, callId, cgroup));
  } finally {
    await cgroup?.remove();
  }
}

async function runCall(request: CommandRequest, callId: string, child: ChildProcess): Promise<CommandResult> {
  const output = new OutputCollector(request.maxOutputBytes);
  let began = request.isolation === undefined;
  // A process that could not even be forked has no pipes, whatever its type says.
  const pipes: readonly (Readable | Writable | null | undefined)[] = child.stdio ?? [];
  pipes[1]?.on("data", (chunk: Buffer) => {
    output.add(chunk);
    request.onOutput?.(chunk);
  });
  // A command that ends before it has read everything has its reasons.
  child.stdin?.on("error", () => undefined).end(request.input);
  pipes[4]?.on("data", () => {
    began = true;
  });
  // A tool that is gone before it read its filter is no error of ours: it has not begun.
  pipes[5]?.on("error", () => undefined);
  (pipes[5] as Writable | undefined)?.end(request.isolation?.filter);
  const closed = once(child, "close");
  closed.catch(() => undefined);
  const killGroup = () => signalGroup(child, "SIGKILL");
  request.signal.addEventListener("abort", killGroup, { once: true });
  try {
    if (request.signal.aborted) killGroup();
    const [exitCode, killedBy] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    await endCall(child, callId);
    await drained(closed, child);
    return { exitCode, killedBy, output: output.text(), began };
  } catch (error) {
    throw spawnFailed(request, error);
  } finally {
    request.signal.removeEventListener("abort", killGroup);
    for (const pipe of pipes) pipe?.destroy();
  }
}

function start(request: CommandRequest, callId: string, cgroup: ProcessCgroup | undefined): ChildProcess {
  const { argv, isolation, cwd, env, input } = request;
  const before = cgroup === undefined ? ISOLATED : [...LIMITED, cgroup.entrance];
  try {
    return spawnSupervised({
      argv: isolation === undefined ? [...DIRECT, ...argv] : [...before, ...isolation.argv, ...argv],
      cwd,
      env,
      callId,
      stdin: input === undefined ? "ignore" : "pipe",
      graceSeconds: 0,
      hasSidePipes: true,
    });
  } catch (error) {
    throw spawnFailed({ argv, cwd }, error);
  }
}

async function drained(closed: Promise<unknown>, child: ChildProcess): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([closed, cut]);
  clearTimeout(timer);
  child.stdout?.destroy();
}

function spawnFailed({ argv, cwd }: Pick<CommandRequest, "argv" | "cwd">, error: unknown): ServiceError {
  const { code } = error as { code?: unknown };
  return new ServiceError(
    "PROCESS_SPAWN_FAILED",
    `The command "${argv[0]}" cannot be started (${typeof code === "string" ? code : "unknown reason"}).`,
    { details: { command: argv[0], cwd } },
  );
}
