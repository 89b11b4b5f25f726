import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { isInside } from "../../process/inside.js";

/** A prompt file of a workspace. */
export interface PromptFile {
  /** Its path in the folder of prompts, without the ending: `review/strict`. */
  id: string;
  /** Its path in the workspace: `.service/prompts/review/strict.md`. */
  file: string;
  source: string;
  /** Epoch milliseconds. */
  updatedAtMs: number;
}

/** Folders of prompts; where both have one id, the first counts. */
const FOLDERS = [join(".service", "prompts"), "prompts"];
const ENDINGS = new Set([".md", ".mdx"]);
/** Files beyond these are left out: a prompt is for a model to read. */
const LARGEST_BYTES = 1_048_576;
const MOST_PROMPTS = 1_000;
const DEEPEST = 8;

/**
 * Markdown and MDX files of a workspace's `.service/prompts` and `prompts`, by id. A file whose real path
 * leads out of the workspace is none of its prompts.
 * @param root absolute
 */
export function listPrompts(root: string): PromptFile[] {
  const realRoot = realpathSync(root);
  const found = new Map<string, PromptFile>();
  for (const folder of FOLDERS) {
    for (const file of filesBelow(join(root, folder), realRoot, 0)) {
      if (found.size === MOST_PROMPTS) break;
      const path = relative(join(root, folder), file).split(sep).join("/");
      const id = path.slice(0, -extname(path).length);
      const read = found.has(id) ? undefined : readPrompt(file);
      if (read !== undefined) found.set(id, { id, file: relative(root, file).split(sep).join("/"), ...read });
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function filesBelow(folder: string, realRoot: string, depth: number): string[] {
  if (depth > DEEPEST) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    const target = realTarget(path);
    if (target === undefined || !isInside(target.path, realRoot)) return [];
    if (target.isFolder) return filesBelow(path, realRoot, depth + 1);
    return target.isFile && ENDINGS.has(extname(entry.name)) ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: "utf8" });
  } catch {
    // There is no such folder, or it is another user's.
    return [];
  }
}

function realTarget(path: string): { path: string; isFile: boolean; isFolder: boolean } | undefined {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    return { path: real, isFile: stats.isFile(), isFolder: stats.isDirectory() };
  } catch {
    // A link to nowhere.
    return undefined;
  }
}

function readPrompt(file: string): { source: string; updatedAtMs: number } | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    if (size > LARGEST_BYTES) return undefined;
    return { source: readFileSync(file, "utf8"), updatedAtMs: Math.round(mtimeMs) };
  } catch {
    return undefined;
  }
}
