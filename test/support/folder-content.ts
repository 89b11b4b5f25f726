import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";

/** Files of a folder by path: `<x or -> <content>`, all as latin1, so that every byte counts. */
export type FolderContent = Readonly<Record<string, string>>;

const bytes = (path: string): Buffer => Buffer.from(path, "latin1");

/** @param files content by path; a first character of `x` makes it executable, of `-` not */
export function writeFolder(root: string, files: FolderContent): void {
  for (const [path, content] of Object.entries(files)) {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      mkdirSync(bytes(`${root}/${parts.slice(0, depth).join("/")}`), { recursive: true });
    }
    writeFileSync(bytes(`${root}/${path}`), bytes(content.slice(1)), {
      mode: content.startsWith("x") ? 0o755 : 0o644,
    });
  }
}

/** Everything below a folder but repositories; links as `> target`. */
export function readFolder(root: string, below = ""): FolderContent {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(bytes(`${root}/${below}`), { withFileTypes: true, encoding: "buffer" })) {
    const path = below + entry.name.toString("latin1");
    if (path === ".git") continue;
    const full = bytes(`${root}/${path}`);
    if (entry.isDirectory()) Object.assign(found, readFolder(root, `${path}/`));
    else if (entry.isSymbolicLink()) found[path] = `>${readlinkSync(full, "latin1")}`;
    else {
      const mode = (lstatSync(full).mode & 0o100) === 0 ? "-" : "x";
      found[path] = mode + readFileSync(full, "latin1");
    }
  }
  return found;
}
