import { execFile } from "node:child_process";
import { ServiceError } from "../errors/service-error.js";
import { serviceMetrics } from "../metrics/catalog.js";

/** Output kept of one command, bytes. */
const MOST_OUTPUT = 10 * 1024 * 1024;

export interface VcsResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** Runs git or jj in a folder. Never asks: no prompts, no editor, no pager. */
export function runVcs(command: "git" | "jj", args: readonly string[], cwd: string): Promise<VcsResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      GIT_TERMINAL_PROMPT: "0",
      GIT_EDITOR: "true",
      GIT_PAGER: "cat",
      LC_ALL: "C",
    };
    execFile(command, [...args], { cwd, env, maxBuffer: MOST_OUTPUT }, (error, stdout, stderr) => {
      serviceMetrics.vcsDurationMs.observe(performance.now() - startedAt);
      resolve({
        ok: error === null,
        stdout: stdout.trimEnd(),
        stderr: stderr.trimEnd() || (error?.message ?? ""),
      });
    });
  });
}

/** As runVcs, for a step that must succeed. @throws WORKTREE_CREATE_FAILED with the command's stderr */
export async function mustRunVcs(
  command: "git" | "jj",
  args: readonly string[],
  about: { cwd: string; worktreePath: string },
): Promise<string> {
  const { ok, stdout, stderr } = await runVcs(command, args, about.cwd);
  if (ok) return stdout;
  throw worktreeFailed(about.worktreePath, `${command} ${args.join(" ")} failed: ${stderr}`, { stderr });
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
