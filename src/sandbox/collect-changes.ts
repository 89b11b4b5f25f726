import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { ServiceError } from "../errors/service-error.js";
import type { SandboxRow } from "../model/sandbox-row.js";
import { operationOf, shownPath } from "./patches/change.js";
import { checkChanges } from "./patches/check-changes.js";
import type { Snapshots } from "./patches/snapshots.js";
import type { DiffBundle } from "../model/sandbox-provider.js";
import { folderBytes, refuseLarge, type SandboxFolder } from "./sandbox-folder.js";

/** Characters of the patch that the question to people shows. */
const SHOWN_CHARACTERS = 60_000;

export type CollectedChanges = Omit<SandboxRow, "output" | "folder"> & { readonly bytes: number };

/**
 * Makes the patch of what a sandbox has changed, from its files or from the bundle that its provider gives, and checks it.
 * @param base the snapshot that its files were copied from
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export async function collectChanges(
  folder: SandboxFolder,
  {
    base,
    bytesBefore,
    snapshots,
    bundle,
  }: {
    base: string;
    bytesBefore: number;
    snapshots: Snapshots;
    bundle: DiffBundle | undefined;
  },
): Promise<CollectedChanges> {
  let after: string;
  if (bundle === undefined) {
    refuseLarge(await folderBytes(folder.files), bytesBefore);
    after = await snapshots.take(folder.files);
  } else {
    after = await treeOf(bundle, { base, snapshots, file: folder.patchFile });
  }
  const changes = await snapshots.changes(base, after);
  checkChanges(changes);
  await snapshots.writePatch(base, after, folder.patchFile);
  refuseLarge((await stat(folder.patchFile)).size, 0);
  const bytes = await readFile(folder.patchFile);
  const text = bytes.toString("utf8");
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

/** A bundle from elsewhere is applied to the snapshot first: what does not apply there is wrong. */
async function treeOf(
  bundle: DiffBundle,
  { base, snapshots, file }: { base: string; snapshots: Snapshots; file: string },
): Promise<string> {
  const patch = bundle.patches.map(({ diff }) => (diff.endsWith("\n") ? diff : `${diff}\n`)).join("");
  refuseLarge(Buffer.byteLength(patch), 0);
  if (patch === "") return base;
  await writeFile(file, patch, { mode: 0o600 });
  const applied = await snapshots.apply(base, file);
  if ("tree" in applied) return applied.tree;
  throw new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The bundle of the sandbox does not fit the files that the sandbox was given (${applied.refusal.slice(0, 500)}).`,
  );
}
