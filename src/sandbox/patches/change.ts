import { ServiceError } from "../../errors/service-error.js";
import { unquotedName } from "../../vcs/git-name.js";

/** One file that differs between two snapshots. */
export interface Change {
  /** Relative, in the bytes of the file system: names need not be UTF-8. */
  readonly path: Buffer;
  /** Six octal digits as git has them; `000000` = there is no file. */
  readonly oldMode: string;
  readonly newMode: string;
  /** Git's ids of the contents, 40 hex digits, all 0 = there is no file. */
  readonly oldId: string;
  readonly newId: string;
}

export const NO_FILE = "000000";

export type PatchOperation = "add" | "modify" | "delete";

export function operationOf({ oldMode, newMode }: Change): PatchOperation {
  if (oldMode === NO_FILE) return "add";
  return newMode === NO_FILE ? "delete" : "modify";
}

/** For people: what is no UTF-8 shows as the replacement character. */
export function shownPath({ path }: Pick<Change, "path">): string {
  return path.toString("utf8");
}

const LINE = /^:(\d{6}) (\d{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z]\t(.+)$/;

/** Reads what `git diff-tree --raw --no-abbrev --no-renames` prints, its names quoted. */
export function parseChanges(text: string): Change[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [, oldMode, newMode, oldId, newId, name] = LINE.exec(line) ?? [];
      if (oldMode === undefined || newMode === undefined || oldId === undefined || newId === undefined) {
        throw new ServiceError("INTERNAL_ERROR", `git described a change as ${JSON.stringify(line)}.`);
      }
      return { path: unquotedName(name ?? ""), oldMode, newMode, oldId, newId };
    });
}
