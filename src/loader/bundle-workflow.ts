import { relative } from "node:path";
import type { BuildOptions, Message, TransformOptions } from "esbuild";
import { compileFailure } from "./compile-failure.js";
import { hoistElementSources, SOURCE_TABLE_BANNER } from "./element-sources.js";
import { type OwnResolver, packagePlugin } from "./package-plugin.js";
import { PLACE_DEFINES, type SourceFile, sourcePlugin } from "./source-plugin.js";
import { useCompiler } from "./use-compiler.js";
import { hashSources, type Minify } from "./workflow-hash.js";

export interface Bundle {
  /** One ES module with its source map inline. */
  code: string;
  /** See `hashSources`; computed while the module runs. */
  hash: Promise<string>;
  /** Absolute paths of the user's files in it. */
  modules: string[];
}

export interface BundleRequest {
  /** Absolute path of the workflow file. */
  entry: string;
  /** Where the module will be written: its source map is relative to that place. */
  outfile: string;
  /** Messages and element sources name files relative to it. */
  cwd: string;
  resolveOwn: OwnResolver;
}

/**
 * Compiles a workflow file and the user's own files that it imports into one
 * module. Element sources (file and line) are compiled in.
 * @throws WORKFLOW_LOAD_FAILED with place and excerpt of each mistake
 */
export async function bundleWorkflow({ entry, outfile, cwd, resolveOwn }: BundleRequest): Promise<Bundle> {
  const use = useCompiler();
  const sources: SourceFile[] = [];
  const options: BuildOptions = {
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20.19",
    charset: "utf8",
    sourcemap: "inline",
    jsx: "automatic",
    jsxDev: true,
    jsxImportSource: "treadle",
    legalComments: "none",
    logLevel: "silent",
    // Only what Node itself would choose from a package's exports.
    conditions: [],
    define: PLACE_DEFINES,
    banner: { js: `${SOURCE_TABLE_BANNER} ${requireBanner(entry)}` },
    plugins: [packagePlugin(resolveOwn), sourcePlugin((source) => sources.push(source))],
  };
  let code: string;
  try {
    const { outputFiles = [] } = await use.esbuild.build(options);
    code = hoistElementSources(outputFiles[0]?.text ?? "");
  } catch (error) {
    use.end();
    const { errors } = error as { errors?: Message[] };
    if (!Array.isArray(errors)) throw error;
    throw compileFailure(relative(cwd, entry) || entry, errors, { sources, cwd });
  }
  const minify: Minify = async (text, loader) => {
    const minified = await use.esbuild.transform(text, { ...MINIFY, loader });
    return minified.code;
  };
  const hash = hashSources(entry, sources, minify).finally(() => use.end());
  // A module that fails first has the better error.
  hash.catch(() => {});
  return { code, hash, modules: sources.map((source) => source.path) };
}

const MINIFY: TransformOptions = {
  jsx: "preserve",
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "silent",
};

/** `require` of the workflow file, for code that still calls it. */
function requireBanner(entry: string): string {
  return `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(${JSON.stringify(entry)});`;
}
