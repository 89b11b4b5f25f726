import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { diffStates } from "../../../src/vcs/diff-states.js";
import type { FileState } from "../../../src/vcs/file-state.js";
import { FileStates, type Recorded } from "../../../src/vcs/file-states.js";
import { workspace } from "../../tools/support/workspace.js";

/** Tests are started with recording switched off, since their folder is in a repository. */
export function recordStates(): void {
  const before = process.env["SERVICE_RECORD_VCS"];
  process.env["SERVICE_RECORD_VCS"] = "1";
  onTestFinished(() => {
    if (before === undefined) delete process.env["SERVICE_RECORD_VCS"];
    else process.env["SERVICE_RECORD_VCS"] = before;
  });
}

export function gitIn(cwd: string, ...args: string[]): string {
  const person = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...person, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trimEnd();
}

/** A git repository with these files in its first commit. */
export async function repository(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const root = await workspace(files);
  gitIn(root, "init", "-q", "-b", "main");
  if (Object.keys(files).length > 0) {
    gitIn(root, "add", "-A");
    gitIn(root, "commit", "-q", "-m", "first");
  }
  const states = new FileStates();
  const record = async (folder = root, runId = "run") =>
    states.record({ folder, runId, hidden: [join(root, ".service")] });
  return { root, git: (...args: string[]) => gitIn(root, ...args), states, record };
}

export function stateOf(recorded: Recorded): FileState {
  if (recorded === undefined || "reason" in recorded) expect.unreachable(JSON.stringify(recorded));
  return recorded.state;
}

/** The files that differ, each with its status and lines. */
export async function changesOf(from: FileState, to: FileState): Promise<string[]> {
  const { files } = await diffStates({ from, to }, { firstFile: 0, offset: 0 });
  return files.map(({ status, path, oldPath, additions, deletions, isBinary }) =>
    [status, oldPath, path, isBinary ? "binary" : `+${additions} -${deletions}`].filter(Boolean).join(" "),
  );
}
