import { ServiceError } from "../../errors/service-error.js";
import { type Change, NO_FILE, shownPath } from "./change.js";
import { LEFT_OUT_FILES, LEFT_OUT_FOLDERS } from "./snapshots.js";

/** Most files that one bundle may change. */
export const MOST_PATCHES = 1_000;
/** Longest path, bytes. */
const LONGEST_PATH = 1_024;
/** Plain files with and without the permission to execute; nothing that leads elsewhere, and no repositories. */
export const PLAIN_MODES: readonly string[] = ["100644", "100755"];

/**
 * Refuses what a patch must not do, whatever program made it. Git itself refuses paths that leave the folder or lead through a link.
 * @param frozen paths relative to the root that no patch changes
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export function checkChanges(changes: readonly Change[], frozen: readonly string[] = []): void {
  if (changes.length > MOST_PATCHES) {
    throw new ServiceError(
      "SANDBOX_BUNDLE_TOO_LARGE",
      `The sandbox has changed ${changes.length} files; at most ${MOST_PATCHES} are taken.`,
      { details: { patches: changes.length, limit: MOST_PATCHES } },
    );
  }
  for (const change of changes) {
    const why = whyNot(change, frozen);
    if (why === undefined) continue;
    const path = shownPath(change).slice(0, LONGEST_PATH);
    throw new ServiceError(
      "SANDBOX_BUNDLE_INVALID",
      `The sandbox's patch of ${JSON.stringify(path)} ${why}.`,
      {
        details: { path },
      },
    );
  }
}

function whyNot({ path, oldMode, newMode }: Change, frozen: readonly string[]): string | undefined {
  if (path.length > LONGEST_PATH) return `has a path of more than ${LONGEST_PATH} bytes`;
  if (newMode === "120000") return "makes or changes a symbolic link, which could lead anywhere";
  if (newMode === "160000" || oldMode === "160000") return "is about a repository inside the folder";
  if (newMode !== NO_FILE && !PLAIN_MODES.includes(newMode)) return `gives the file the mode ${newMode}`;
  const parts = shownPath({ path }).split("/");
  const isLeftOut = parts
    .map(withoutDisguise)
    .some((part) => LEFT_OUT_FOLDERS.includes(part.replace(/[. ]+$/, "")) || part.startsWith(LEFT_OUT_FILES));
  if (isLeftOut) return "is about a place that sandboxes do not have";
  if (parts.some((part) => part === "" || part === "." || part === "..")) return "leaves the folder";
  const name = withoutDisguise(shownPath({ path }));
  if (frozen.some((each) => withoutDisguise(each) === name))
    return "changes the code of the running workflow";
  return undefined;
}

/**
 * A name as the file systems take it that tell least apart: in any case, by letters of one meaning (`ſ` is an `s`), and without
 * characters that do not show. Those that take `.git.` or `.git ` for `.git` are known, too.
 */
function withoutDisguise(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}
