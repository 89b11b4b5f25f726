import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { ServiceError } from "../errors/service-error.js";
import type { SandboxRow } from "../model/sandbox-row.js";
import type { GivenChanges } from "./bundles/take-result.js";
import { operationOf, shownPath } from "./patches/change.js";
import { checkChanges } from "./patches/check-changes.js";
import { binaryIds, shownPatch } from "./patches/shown-patch.js";
import type { Snapshots } from "./patches/snapshots.js";
import { putWholeFiles } from "./patches/whole-files.js";
import { folderBytes, refuseLarge } from "./sandbox-folder.js";
import type { WorkspaceSnapshot } from "./workspaces/find-snapshot.js";
import type { GivenFiles } from "./workspaces/given-files.js";

/** Characters of the patch that the question to people shows. */
const SHOWN_CHARACTERS = 60_000;

export type CollectedChanges = Omit<SandboxRow, "output" | "folder" | "workspace" | "artifacts"> & {
  readonly bytes: number;
};

/**
 * The snapshot of what a sandbox has left: of its files, or of the patch that its provider gives.
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export async function takeAfter(
  { folder, snapshots, given }: GivenFiles,
  { bytesBefore, changes }: { bytesBefore: number; changes: GivenChanges | undefined },
): Promise<string> {
  if (changes !== undefined) return treeOf(changes, { base: given, snapshots, file: folder.patchFile });
  refuseLarge(await folderBytes(folder.files), bytesBefore);
  return snapshots.take(folder.files);
}

/**
 * Makes the patch of what a sandbox has changed, and checks it.
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export async function collectChanges(
  { folder, snapshots }: Pick<GivenFiles, "folder" | "snapshots">,
  { base, files: after }: WorkspaceSnapshot,
): Promise<CollectedChanges> {
  const changes = await snapshots.changes(base, after);
  checkChanges(changes);
  await snapshots.writePatch(base, after, folder.patchFile);
  refuseLarge((await stat(folder.patchFile)).size, 0);
  const bytes = await readFile(folder.patchFile);
  const whole = bytes.toString("utf8");
  const text = shownPatch(whole, await snapshots.sizes(binaryIds(whole)));
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    bytes: bytes.length,
    patchCount: changes.length,
    addedLines: count(/^\+(?!\+\+ )/gm),
    removedLines: count(/^-(?!-- )/gm),
    patch:
      text.length <= SHOWN_CHARACTERS
        ? text
        : `${text.slice(0, SHOWN_CHARACTERS)}\n[cut here; all ${bytes.length} bytes are in ${folder.path}/changes.patch]\n`,
    patchHash: patchHash(bytes),
    changes: changes.map((change) => ({ path: shownPath(change), operation: operationOf(change) })),
  };
}

export function patchHash(patch: Uint8Array): string {
  return createHash("sha256").update(patch).digest("hex");
}

/** Changes from elsewhere are put into the snapshot first: what does not apply there is wrong. */
async function treeOf(
  { patch, wholeFiles }: GivenChanges,
  { base, snapshots, file }: { base: string; snapshots: Snapshots; file: string },
): Promise<string> {
  refuseLarge(
    wholeFiles.reduce((sum, { content }) => sum + content.length, patch.length),
    0,
  );
  const whole = wholeFiles.length === 0 ? base : await putWholeFiles(snapshots, base, wholeFiles);
  return patch.length === 0 ? whole : patched(patch, { base: whole, snapshots, file });
}

async function patched(
  patch: Buffer,
  { base, snapshots, file }: { base: string; snapshots: Snapshots; file: string },
): Promise<string> {
  await writeFile(file, patch, { mode: 0o600 });
  const applied = await snapshots.apply(base, file);
  if ("tree" in applied) return applied.tree;
  throw new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The bundle of the sandbox does not fit the files that the sandbox was given (${applied.refusal.slice(0, 500)}).`,
  );
}
