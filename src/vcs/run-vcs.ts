import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";
import { findExecutable } from "../process/find-executable.js";
import { endCall, spawnSupervised } from "../process/supervision.js";
import { newId } from "../util/ids.js";
import { monotonicMs } from "../util/monotonic-ms.js";

/** Output kept of one stream of a command, bytes. */
const MOST_OUTPUT = 10 * 1024 * 1024;

export interface VcsResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Runs git or jj in a folder. Never asks: no prompts, no editor, no pager. The command ends when this
 * process dies, and so does what is left of it when somebody else continues the run.
 */
export async function runVcs(
  command: "git" | "jj",
  args: readonly string[],
  cwd: string,
): Promise<VcsResult> {
  const startedAt = monotonicMs();
  const env = environment();
  const executable = await findExecutable(command, { env, cwd });
  if (executable === undefined) return { ok: false, stdout: "", stderr: `${command} is not on PATH` };
  const callId = newId();
  const argv = [executable, ...(command === "git" ? HARMLESS_GIT : HARMLESS_JJ), ...args];
  try {
    const child = spawnSupervised({ argv, cwd, env, callId, stdin: "ignore", graceSeconds: 0 });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const closed = once(child, "close");
    closed.catch(() => undefined);
    const [code] = (await once(child, "exit")) as [number | null];
    await endCall(child, callId);
    await closed;
    destroy(child);
    return { ok: code === 0, stdout: stdout().trimEnd(), stderr: stderr().trimEnd() };
  } catch (error) {
    return { ok: false, stdout: "", stderr: (error as Error).message };
  } finally {
    serviceMetrics.vcsDurationMs.observe(monotonicMs() - startedAt);
  }
}

/**
 * Settings of a repository can make git run programs, and agents may have written them: hooks, monitors,
 * pagers, editors, transports. What stands on the command line wins over every file.
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

function collect(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (bytes < MOST_OUTPUT) chunks.push(chunk);
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function destroy(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
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
