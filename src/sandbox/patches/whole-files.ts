import { ServiceError } from "../../errors/service-error.js";
import type { DiffPatch } from "../../model/sandbox-provider.js";
import { bundleTooLarge } from "../bundles/limits.js";
import { shownPath } from "./change.js";
import { MOST_PATCHES, PLAIN_MODES } from "./check-changes.js";
import type { Snapshots, TreeEntry } from "./snapshots.js";

/** A file that a patch gives as a whole. */
export interface WholeFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly operation: "add" | "modify";
  readonly content: Buffer;
  /** What its `diff` says of it; absent = the mode that it has, or that of a plain file. */
  readonly mode?: string;
  /** The beginning of git's id of the content that it was made from, where `diff` names it. */
  readonly baseId?: string;
}

/** Lines that the `diff` beside a whole file may have: of git's header, and nothing that changes a line. */
const HEADER =
  /^(?:diff --git .*|old mode \d+|new mode (?<mode>\d+)|new file mode (?<newMode>\d+)|index (?<baseId>[0-9a-f]+)\.\.[0-9a-f]+(?: \d+)?|(?:---|\+\+\+) .*|Binary files .* differ)$/;

/**
 * Reads a patch that has `binaryContent`.
 * @throws SANDBOX_BUNDLE_INVALID
 */
export function wholeFile({ path, operation, diff, binaryContent }: DiffPatch): WholeFile | undefined {
  if (binaryContent === undefined) return undefined;
  if (path.includes("\0") || path.split("/").some((part) => ["", ".", ".."].includes(part)))
    throw refused(path, "is about no file of the folder");
  if (operation === "delete") throw refused(path, "deletes a file and has binaryContent");
  const content = Buffer.from(binaryContent, "base64");
  if (content.toString("base64") !== binaryContent)
    throw refused(path, "has binaryContent that is no base64");
  let [mode, baseId]: (string | undefined)[] = [];
  for (const line of diff.split("\n")) {
    if (line === "") continue;
    const { groups } = HEADER.exec(line) ?? {};
    if (groups === undefined) throw refused(path, "has binaryContent beside a diff that changes lines");
    mode = groups["newMode"] ?? groups["mode"] ?? mode;
    baseId = groups["baseId"] ?? baseId;
  }
  return {
    ...{ path, operation, content },
    ...(mode !== undefined && { mode }),
    ...(baseId !== undefined && { baseId }),
  };
}

/**
 * Puts whole files into a snapshot that has what they were made from.
 * @returns the tree that results
 * @throws SANDBOX_BUNDLE_INVALID
 */
export async function putWholeFiles(
  snapshots: Snapshots,
  tree: string,
  files: readonly WholeFile[],
): Promise<string> {
  if (files.length > MOST_PATCHES)
    throw bundleTooLarge(`The sandbox's diffBundle has ${files.length} whole files`, MOST_PATCHES);
  const entries: TreeEntry[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    const { path, operation, content, baseId } = file;
    if (seen.has(path)) throw refused(path, "is there twice");
    seen.add(path);
    const base = await snapshots.entryAt(tree, path);
    if (operation === "add" && base !== undefined)
      throw refused(path, "adds a file that the sandbox was given: it has to modify it");
    if (operation === "modify" && base === undefined)
      throw refused(
        path,
        "modifies a file that the sandbox was not given: there is no base that it could be made from",
      );
    if (base !== undefined && baseId !== undefined && !base.id.startsWith(baseId))
      throw refused(path, `was made from the content ${baseId}, and the sandbox was given ${base.id}`);
    const mode = file.mode ?? base?.mode ?? "100644";
    if (!PLAIN_MODES.includes(mode)) throw refused(path, `gives the file the mode ${mode}`);
    const id = await snapshots.keepContent(content);
    if (id !== base?.id || mode !== base.mode) entries.push({ path, mode, id });
  }
  const put = await snapshots.putEntries(tree, entries);
  const changed = new Map((await snapshots.changes(tree, put)).map((change) => [shownPath(change), change]));
  for (const { path, id } of entries) {
    if (changed.get(path)?.newId !== id) throw refused(path, "is about a place that no file can have");
    changed.delete(path);
  }
  const [other] = changed.keys();
  if (other !== undefined) throw refused(other, "would go, since another file has to be in its place");
  return put;
}

function refused(path: string, why: string): ServiceError {
  const shown = path.slice(0, 1_024);
  return new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The patch of ${JSON.stringify(shown)} in the sandbox's diffBundle ${why}: nothing of the bundle was taken.`,
    { details: { path: shown } },
  );
}
