import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";
import { findExecutable } from "../process/find-executable.js";
import { endCall, signalGroup, spawnSupervised } from "../process/supervision.js";
import { shorten } from "../util/bounded-text.js";
import { newId } from "../util/ids.js";
import { monotonicMs } from "../util/monotonic-ms.js";

/** Output kept of one stream of a command, bytes. */
const MOST_OUTPUT = 10 * 1024 * 1024;

/** Where a command runs, and for how long. */
export interface VcsCall {
  cwd: string;
  /** Ends the command when it fires. */
  signal?: AbortSignal | undefined;
  /** Milliseconds. @default 10 minutes: as long as the files of a large repository may take */
  limitMs?: number;
  /** What the command reads. @default nothing */
  input?: Uint8Array;
  /** Variables on top of those that every command gets. */
  variables?: Readonly<Record<string, string>>;
  /** Bytes of the output as characters 0 to 255, to the last one: names and contents of files may be anything. @default false: text, without its last lines' ends */
  isBinary?: boolean;
  /** Seconds to end by itself when this process dies, so that it leaves no locks behind. @default 0 */
  graceSeconds?: number;
}

const LIMIT_MS = 600_000;
/** A command that is ended has this long to remove its locks, and then to be gone: in the kernel it may stay for ever. */
const GRACE_MS = 2_000;

export interface VcsResult {
  ok: boolean;
  stdout: string;
  stderr: string;
  /** There was more output than is kept. */
  isCut?: true;
}

/**
 * Runs git or jj in a folder. Never asks: no prompts, no editor, no pager. The command ends when this
 * process dies, and so do its orphans when another process continues the run.
 * @throws PROCESS_TIMEOUT when it does not end in time, the signal's reason when that fires
 */
export async function runVcs(
  command: "git" | "jj",
  args: readonly string[],
  call: VcsCall,
): Promise<VcsResult> {
  const { cwd, signal, limitMs = LIMIT_MS, input, graceSeconds = 0 } = call;
  signal?.throwIfAborted();
  const startedAt = monotonicMs();
  const env = { ...environment(), ...call.variables };
  const executable = await findExecutable(command, { env, cwd });
  if (executable === undefined) return { ok: false, stdout: "", stderr: `${command} is not on PATH` };
  const callId = newId();
  const argv = [executable, ...(command === "git" ? HARMLESS_GIT : HARMLESS_JJ), ...args];
  let child: ChildProcess | undefined;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(lateError(command, args, { cwd, limitMs })), limitMs);
  const until = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  try {
    const stdin = input === undefined ? "ignore" : "pipe";
    child = spawnSupervised({ argv, cwd, env, callId, stdin, graceSeconds });
    // A command that ends before it has read everything says why by its exit code.
    child.stdin?.on("error", () => undefined).end(input);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const closed = once(child, "close");
    closed.catch(() => undefined);
    const code = await exitOf(child, until);
    await endCall(child, callId);
    until.throwIfAborted();
    await closed;
    const [out, said] = [stdout(), stderr()];
    return {
      ok: code === 0,
      stdout: call.isBinary === true ? out.bytes.toString("latin1") : out.bytes.toString("utf8").trimEnd(),
      stderr: said.bytes.toString("utf8").trimEnd(),
      ...(out.isCut && { isCut: true }),
    };
  } catch (error) {
    if (until.aborted) throw until.reason;
    return { ok: false, stdout: "", stderr: (error as Error).message };
  } finally {
    clearTimeout(timer);
    if (child !== undefined) letGo(child);
    serviceMetrics.vcsDurationMs.observe(monotonicMs() - startedAt);
  }
}

/** Of a command that is ended, it does not wait longer than it has time to be gone. */
async function exitOf(child: ChildProcess, until: AbortSignal): Promise<number | null> {
  const exited = once(child, "exit") as Promise<[number | null]>;
  exited.catch(() => undefined);
  try {
    const [code] = (await once(child, "exit", { signal: until })) as [number | null];
    return code;
  } catch (error) {
    if (!until.aborted) throw error;
    // Politely at first: a git that is killed leaves its locks behind.
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      signalGroup(child, signal);
      const isGone = await Promise.race([exited.then(() => true), delay(GRACE_MS, false)]);
      if (isGone) break;
    }
    throw error;
  }
}

function lateError(
  command: string,
  args: readonly string[],
  { cwd, limitMs }: { cwd: string; limitMs: number },
): ServiceError {
  const said = `${command} ${args.join(" ")}`;
  return new ServiceError(
    "PROCESS_TIMEOUT",
    `${shorten(said, 200)} in ${cwd} did not end within ${limitMs / 1_000} s, and was ended. It may wait for a lock, for a person who answers, or for a network file system.`,
    { details: { command, cwd, limitMs } },
  );
}

/**
 * Settings of a repository can make git run programs, and agents may have written them: hooks, monitors,
 * pagers, editors, transports. The command line wins over every file.
 */
const HARMLESS_GIT = [
  "--no-pager",
  "--no-optional-locks",
  ...[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.editor=true",
    "core.askPass=true",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.alternateRefsCommand=true",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "protocol.allow=never",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** The same for jj, whose repositories and workspaces have settings of their own: monitors, signing, editors, diff and merge tools. */
const HARMLESS_JJ = [
  "--no-pager",
  "--color=never",
  ...[
    'fsmonitor.backend="none"',
    'core.fsmonitor="none"',
    'signing.behavior="drop"',
    'signing.backend="none"',
    "ui.show-cryptographic-signatures=false",
    'ui.paginate="never"',
    'ui.editor="true"',
    'ui.diff-formatter=":color-words"',
    'ui.diff-editor=":builtin"',
    'ui.merge-editor=":builtin"',
    'git.executable-path="false"',
  ].flatMap((setting) => ["--config", setting]),
];

/** Of jj's variables those that say who the user is and where the settings are. */
const KEPT_OF_JJ = ["JJ_CONFIG", "JJ_USER", "JJ_EMAIL"];

/** Is set to nothing, for options that take a value from a variable. */
export const EMPTY_VARIABLE = "TREADLE_EMPTY";

/** Without this process's own settings for git and jj: inside a hook they would name another repository. */
function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (KEPT_OF_JJ.includes(entry[0]) || !/^(?:GIT|JJ)_/.test(entry[0])),
  );
  const fixed = { GIT_TERMINAL_PROMPT: "0", GIT_ATTR_NOSYSTEM: "1", LC_ALL: "C", [EMPTY_VARIABLE]: "" };
  return { ...Object.fromEntries(own), ...fixed };
}

function collect(stream: Readable | null): () => { bytes: Buffer; isCut: boolean } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (bytes < MOST_OUTPUT) chunks.push(chunk);
    bytes += chunk.length;
  });
  return () => ({ bytes: Buffer.concat(chunks), isCut: bytes > MOST_OUTPUT });
}

/** Also of one that cannot be killed: nothing waits for it any more. */
function letGo(child: ChildProcess): void {
  // A process that could not even be forked has no pipes, whatever its type says.
  for (const stream of child.stdio ?? []) stream?.destroy();
  child.unref();
}

export function worktreeFailed(
  worktreePath: string,
  why: string,
  details: Record<string, unknown> = {},
): ServiceError {
  return new ServiceError("WORKTREE_CREATE_FAILED", `Worktree ${worktreePath}: ${why}`, {
    details: { worktreePath, ...details },
    // The same repository refuses the same request again.
    retryable: false,
  });
}
