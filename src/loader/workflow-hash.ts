import { dirname, relative, sep } from "node:path";
import { sha256Hex } from "../util/hash.js";
import { codeLoader, type SourceFile } from "./source-plugin.js";

/** Strips comments, types and white space from code. */
export type Minify = (text: string, loader: "ts" | "tsx" | "js" | "jsx") => Promise<string>;

/** The text of each file by its path; code is stripped. */
export async function minifySources(
  sources: readonly SourceFile[],
  minify: Minify,
): Promise<ReadonlyMap<string, string>> {
  const texts = sources.map(async ({ path, text }) => {
    const loader = codeLoader(path);
    const isCode = loader === "ts" || loader === "tsx" || loader === "js" || loader === "jsx";
    return [path, isCode ? await minify(text, loader) : text] as const;
  });
  return new Map(await Promise.all(texts));
}

/**
 * Hash of the user's code that a workflow consists of: every bundled file by its
 * place relative to the entry. Comments, types and formatting do not count.
 */
export function hashSources(entry: string, texts: ReadonlyMap<string, string>): string {
  const parts = [...texts].map(
    ([path, text]) => [relative(dirname(entry), path).split(sep).join("/"), text] as const,
  );
  parts.sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(parts));
}
