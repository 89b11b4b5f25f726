import { ensureGitWorktree, removeGitWorktree } from "./git-worktree.js";
import { ensureJjWorkspace, removeJjWorkspace } from "./jj-workspace.js";
import { ServiceError } from "../errors/service-error.js";
import { findRepository } from "./find-repository.js";
import { worktreeFailed } from "./run-vcs.js";
import type { WorktreeRequest } from "./worktree-request.js";

/**
 * Worktrees of one process. Requests for the same repository are carried out one
 * after the other: git takes locks and fails instead of waiting.
 */
export class Worktrees {
  readonly #queues = new Map<string, Promise<unknown>>();

  /** Whether there was any request. */
  get wereAsked(): boolean {
    return this.#queues.size > 0;
  }

  /**
   * Makes sure the worktree exists. The base that this call created it from; undefined when it was there.
   * @param from folder inside the repository
   * @throws VCS_NOT_FOUND, WORKTREE_CREATE_FAILED
   */
  ensure(from: string, request: WorktreeRequest): Promise<string | undefined> {
    const { kind, root } = findRepository(from);
    return this.#inTurn(root, async () => {
      request.signal?.throwIfAborted();
      try {
        return await (kind === "git" ? ensureGitWorktree(root, request) : ensureJjWorkspace(root, request));
      } catch (error) {
        if (!ServiceError.is(error, "PROCESS_TIMEOUT")) throw error;
        throw worktreeFailed(request.path, error.summary, error.details as Record<string, unknown>);
      }
    });
  }

  /**
   * Removes a worktree that has no changes, and no commit that is not on its base or a remote. True when removed;
   * it stays where git or jj do not say in time what is in it.
   */
  remove(from: string, request: WorktreeRequest): Promise<boolean> {
    const { kind, root } = findRepository(from);
    return this.#inTurn(root, async () => {
      try {
        return await (kind === "git" ? removeGitWorktree(root, request) : removeJjWorkspace(root, request));
      } catch (error) {
        if (!ServiceError.is(error, "PROCESS_TIMEOUT")) throw error;
        return false;
      }
    });
  }

  #inTurn<T>(root: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(root) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#queues.set(
      root,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
