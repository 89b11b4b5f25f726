import { readFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader, Plugin } from "esbuild";
import { FILE_PLACES } from "../graph/function-text.js";
import { hasNoModuleSyntax } from "./broken-code.js";
import { compileMdx } from "./compile-mdx.js";
import { installedFolder } from "./package-plugin.js";

/** A file of the user that became part of the bundle. */
export interface SourceFile {
  path: string;
  text: string;
  /** Text that the compiler sees in front of the file's own. */
  prefix: string;
}

const LOADERS: Readonly<Record<string, Loader>> = {
  ".ts": "ts",
  ".mts": "ts",
  ".cts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".mjs": "js",
  ".cjs": "js",
  ".jsx": "jsx",
};

/** The loader of a code file; undefined for other files. */
export function codeLoader(path: string): Loader | undefined {
  return LOADERS[extname(path)];
}

/** Names that stand for a file's own place once it is part of a bundle that lies elsewhere. */
const { url: URL_NAME, dirname: FOLDER_NAME, filename: FILE_NAME } = FILE_PLACES;

/** Makes code ask for its own file where it would otherwise find the bundle's. */
export const PLACE_DEFINES: Readonly<Record<string, string>> = {
  "import.meta.url": URL_NAME,
  "import.meta.dirname": FOLDER_NAME,
  "import.meta.filename": FILE_NAME,
  __dirname: FOLDER_NAME,
  __filename: FILE_NAME,
};

/**
 * Reads the user's code, data and texts (`.md`, `.mdx`, `.txt`: their content is the default export, of `.mdx` a
 * component where the project has the compiler for it). Each file gets its place as constants and, if it holds
 * JSX, the JSX source of this library: a tsconfig next to it may say otherwise,
 * a comment in the file itself wins. Everything is put in front of the first
 * line, so that line numbers stay.
 */
export function sourcePlugin(
  onSource: (source: SourceFile) => void,
  onPackage: (folder: string) => void,
): Plugin {
  const onCompiler = (file: string) => {
    const folder = installedFolder(file);
    if (folder !== undefined) onPackage(folder);
  };
  return {
    name: "sources",
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$|\.json$|\.mdx?$|\.txt$/ }, async ({ path }) => {
        const file = await readFile(path, "utf8");
        const loader = codeLoader(path);
        if (loader === undefined) {
          onSource({ path, text: file, prefix: "" });
          const component = path.endsWith(".mdx") ? await compileMdx(path, file, onCompiler) : undefined;
          if (component !== undefined) return { ...component, resolveDir: dirname(path) };
          return { contents: file, loader: path.endsWith(".json") ? "json" : "text" };
        }
        // A first line such as `#!/usr/bin/env treadle` gives way: a comment cannot hold the prefix.
        const text = file.replace(/^\uFEFF?(?:#!.*)?/, "");
        const prefix = prefixOf(path, text);
        onSource({ path, text, prefix });
        const ending = hasNoModuleSyntax(text) ? "\nexport {};" : "";
        return { contents: `${prefix}${text}${ending}`, loader, resolveDir: dirname(path) };
      });
    },
  };
}

function prefixOf(path: string, text: string): string {
  const isJsx = path.endsWith("x") && !text.includes("@jsxImportSource");
  const pragma = isJsx ? "/** @jsxRuntime automatic @jsxImportSource treadle */" : "";
  if (!/import\.meta|__dirname|__filename/.test(text)) return pragma;
  const place = [
    `${URL_NAME}=${JSON.stringify(pathToFileURL(path).href)}`,
    `${FOLDER_NAME}=${JSON.stringify(dirname(path))}`,
    `${FILE_NAME}=${JSON.stringify(path)}`,
  ];
  return `${pragma}const ${place.join(",")};`;
}
