import { sandboxRow } from "../../model/sandbox-row.js";
import { isShownBinary } from "../../sandbox/patches/shown-patch.js";
import type { Store } from "../../store/index.js";
import type { FileStatus } from "../../vcs/changed-files.js";
import type { StatesDiff } from "../../vcs/diff-states.js";
import { patchesByName } from "../../vcs/patch-text.js";

const STATUSES = { add: "added", modify: "modified", delete: "deleted" } as const satisfies Record<
  string,
  FileStatus
>;

/**
 * The patch that a sandbox has given, of the task that ran it or of the one that put it in place; undefined for other
 * tasks. The row keeps the beginning of a long patch.
 */
export async function sandboxChanges(
  store: Store,
  { runId, nodeId, iteration }: { runId: string; nodeId: string; iteration: number },
): Promise<StatesDiff | undefined> {
  for (const id of [nodeId, `${nodeId}-run`]) {
    const row = sandboxRow().safeParse(await store.readOutput(runId, id, iteration));
    if (!row.success) continue;
    const { changes, patch, addedLines, removedLines } = row.data;
    const patches = patchesByName(Buffer.from(patch).toString("latin1"));
    const files = changes.map(({ path, operation }) => {
      const text = patches.get(Buffer.from(path).toString("latin1"));
      const count = (sign: string) =>
        text?.split("\n").filter((line) => line.startsWith(sign)).length ?? null;
      return {
        path,
        status: STATUSES[operation],
        additions: count("+"),
        deletions: count("-"),
        isBinary: text === undefined && isShownBinary(patch, path),
        patch: text ?? null,
        nextOffset: null,
      };
    });
    const totals = { files: files.length, additions: addedLines, deletions: removedLines };
    return { files, totals, nextFile: null };
  }
  return undefined;
}
