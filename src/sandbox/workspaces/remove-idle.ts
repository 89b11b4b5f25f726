import { ServiceError } from "../../errors/service-error.js";
import { holding } from "../../process/lock-file.js";
import { type WorkspaceFolder, workspacesOf } from "./workspace-folder.js";

/** Removes the files of workspaces that no sandbox has used for as long as they say. One that is in use stays. */
export async function removeIdleWorkspaces(root: string, nowMs: number): Promise<void> {
  for (const each of await workspacesOf(root)) {
    if (!(await isIdle(each, nowMs))) continue;
    const late = () => new ServiceError("SANDBOX_EXECUTION_FAILED", "It is in use.");
    const removal = holding({ path: each.lock, waitMs: 0, late }, async () => {
      if (await isIdle(each, nowMs)) await each.removeFiles();
    });
    await removal.catch(() => undefined);
  }
}

async function isIdle(folder: WorkspaceFolder, nowMs: number): Promise<boolean> {
  const expiresAtMs = (await folder.readState())?.expiresAtMs ?? Number.POSITIVE_INFINITY;
  return expiresAtMs <= nowMs;
}
