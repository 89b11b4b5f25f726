import { dirname, relative, sep } from "node:path";
import { sha256Hex } from "../util/hash.js";
import { codeLoader, type SourceFile } from "./source-plugin.js";

/** Strips comments, types and white space from code. */
export type Minify = (text: string, loader: "ts" | "tsx" | "js" | "jsx") => Promise<string>;

/**
 * Hash of the user's code that a workflow consists of: every bundled file by its
 * place relative to the entry. Comments, types and formatting do not count.
 */
export async function hashSources(
  entry: string,
  sources: readonly SourceFile[],
  minify: Minify,
): Promise<string> {
  const parts = await Promise.all(
    sources.map(async ({ path, text }) => {
      const name = relative(dirname(entry), path).split(sep).join("/");
      const loader = codeLoader(path);
      const isCode = loader === "ts" || loader === "tsx" || loader === "js" || loader === "jsx";
      return [name, isCode ? await minify(text, loader) : text] as const;
    }),
  );
  parts.sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(parts));
}
