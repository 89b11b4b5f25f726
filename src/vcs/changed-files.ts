import { quotedName } from "./git-name.js";

/** What has become of a file between two states. */
export type FileStatus = "added" | "modified" | "deleted" | "renamed";

export interface ChangedFile {
  /** Relative to the folder that was recorded. A name that is not UTF-8 is quoted, as git does it. */
  path: string;
  /** Of a renamed file: its former name. */
  oldPath?: string;
  status: FileStatus;
  /** Lines; null for a binary file. */
  additions: number | null;
  deletions: number | null;
  /** What git sees as no text. */
  isBinary: boolean;
}

/** A changed file with its names as git has them, from the root of the working tree. */
export interface NamedChange extends ChangedFile {
  /** The present one and, where it was renamed, the former one. */
  readonly names: readonly Buffer[];
}

const STATUSES: Readonly<Record<string, FileStatus>> = { A: "added", D: "deleted", R: "renamed" };

/**
 * Reads what `git diff-tree -r -M -z --raw --numstat` prints, as characters 0 to 255: all files, then their lines.
 * @param folder the names are shown relative to it
 */
export function parseChangedFiles(text: string, folder: string): NamedChange[] {
  const fields = text.split("\0");
  const changes: NamedChange[] = [];
  let at = 0;
  for (; fields[at]?.startsWith(":") === true; ) {
    const letter = /([A-Z])\d*$/.exec(fields[at] ?? "")?.[1] ?? "M";
    const [first = "", second = ""] = fields.slice(at + 1);
    const isTwo = letter === "R" || letter === "C";
    const names = (isTwo ? [second, first] : [first]).map((name) => Buffer.from(name, "latin1"));
    const [path = "", oldPath] = names.map((name) => shownName(name, folder));
    const lines = { additions: null, deletions: null, isBinary: false };
    changes.push({
      path,
      ...(oldPath !== undefined && { oldPath }),
      status: STATUSES[letter] ?? "modified",
      ...lines,
      names,
    });
    at += isTwo ? 3 : 2;
  }
  for (const change of changes) {
    const [added = "", removed = "", name = ""] = (fields[at] ?? "").split("\t");
    at += name === "" ? 3 : 1;
    change.isBinary = added === "-";
    if (change.isBinary) continue;
    change.additions = Number(added);
    change.deletions = Number(removed);
  }
  return changes;
}

function shownName(name: Buffer, folder: string): string {
  const inside = folder === "" ? name : name.subarray(Buffer.byteLength(folder) + 1);
  const text = inside.toString("utf8");
  return Buffer.from(text).equals(inside) ? text : quotedName(inside);
}

/** Names exactly this file where its name is text; bytes that no argument can have stand for any. */
export function pathspec(name: Buffer): string {
  const text = name.toString("utf8");
  if (Buffer.from(text).equals(name)) return `:(top,literal)${text}`;
  const letters = [...name].map((byte) => {
    const letter = String.fromCharCode(byte);
    if (byte > 0x7e || byte < 0x20) return "?";
    return /[*?[\]\\]/.test(letter) ? `\\${letter}` : letter;
  });
  return `:(top,glob)${letters.join("")}`;
}
