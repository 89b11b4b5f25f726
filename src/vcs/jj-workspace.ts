import { existsSync } from "node:fs";
import { basename } from "node:path";
import { mustRunVcs, runVcs } from "./run-vcs.js";
import type { WorktreeRequest } from "./worktree-request.js";

/** Creates a jj workspace, or takes it as it stands. True when it was created. @throws WORKTREE_CREATE_FAILED */
export async function ensureJjWorkspace(root: string, request: WorktreeRequest): Promise<boolean> {
  const { path, branch, baseBranch } = request;
  if (existsSync(`${path}/.jj`)) return false;
  const at = { cwd: root, worktreePath: path };
  await mustRunVcs("jj", ["workspace", "add", "--name", basename(path), "--revision", baseBranch, path], at);
  if (branch !== undefined) {
    await mustRunVcs("jj", ["bookmark", "set", branch, "--revision", "@"], { ...at, cwd: path });
  }
  return true;
}

/** Forgets a workspace whose commit is empty; its folder is left to the user. False when it was left. */
export async function removeJjWorkspace(root: string, { path }: WorktreeRequest): Promise<boolean> {
  const changes = await runVcs("jj", ["diff", "--summary"], path);
  if (!changes.ok || changes.stdout !== "") return false;
  return (await runVcs("jj", ["workspace", "forget", basename(path)], root)).ok;
}
