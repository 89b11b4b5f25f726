import { basename, dirname, extname, relative, resolve } from "node:path";
import type { BuildOptions, Message, Plugin } from "esbuild";
import { ServiceError } from "../../../errors/service-error.js";
import { compileFailure } from "../../../loader/compile-failure.js";
import { useCompiler } from "../../../loader/use-compiler.js";
import type { PageFiles } from "./page-html.js";

/** A bundle as it is served. */
export interface PageBundle extends PageFiles {
  /** Content by name; each name has a hash of it. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** Pictures and fonts that a module imports become files beside it. */
const FILE_ENDINGS = [".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".woff", ".woff2"];

/**
 * Bundles a browser module with what it imports.
 * @param entry relative to `root`, or absolute
 * @throws UI_BUNDLE_FAILED with place and excerpt of each mistake
 */
export async function bundlePage(entry: string, root: string): Promise<PageBundle> {
  const file = resolve(root, entry);
  const use = useCompiler();
  const options: BuildOptions = {
    absWorkingDir: root,
    entryPoints: [{ in: file, out: basename(file, extname(file)) }],
    outdir: resolve(root, "_ui"),
    entryNames: "[name]-[hash]",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
    jsx: "automatic",
    loader: Object.fromEntries(FILE_ENDINGS.map((ending) => [ending, "file" as const])),
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [reactElements],
  };
  try {
    const { outputFiles = [], metafile } = await use.esbuild.build(options);
    const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
    const main = Object.entries(metafile?.outputs ?? {}).find(
      ([, { entryPoint }]) => entryPoint !== undefined,
    );
    const styles = main?.[1].cssBundle;
    return {
      files,
      scripts: main === undefined ? [] : [basename(main[0])],
      styles: styles === undefined ? [] : [basename(styles)],
    };
  } catch (error) {
    const { errors } = error as { errors?: Message[] };
    if (!Array.isArray(errors)) throw error;
    const { summary, details } = compileFailure(relative(root, file), errors, { cwd: root });
    throw new ServiceError("UI_BUNDLE_FAILED", summary, { ...(details !== undefined && { details }) });
  } finally {
    use.end();
  }
}

/** In a workspace of workflows JSX stands for their elements; in a page it is React's. */
const reactElements: Plugin = {
  name: "elements of pages are React's",
  setup(build) {
    build.onResolve({ filter: /^treadle\/jsx(?:-dev)?-runtime$/ }, ({ path, importer, kind }) =>
      build.resolve(path.replace("treadle", "react"), { resolveDir: dirname(importer), importer, kind }),
    );
  },
};
