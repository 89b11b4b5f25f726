import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { BuildOptions, Message, TransformOptions } from "esbuild";
import { mistakesAmong } from "./broken-code.js";
import { compileFailure } from "./compile-failure.js";
import { hoistElementSources, SOURCE_TABLE_BANNER } from "./element-sources.js";
import type { LoadedFile } from "../model/loaded-file.js";
import { loadedFiles } from "./loaded-files.js";
import { settingsOf } from "./module-settings.js";
import { namedPlaces } from "./named-places.js";
import { type OwnResolver, packagePlugin } from "./package-plugin.js";
import { PLACE_DEFINES, type SourceFile, sourcePlugin } from "./source-plugin.js";
import { useCompiler } from "./use-compiler.js";
import { hashSources, type Minify, minifySources } from "./workflow-hash.js";

export interface Bundle {
  /** One ES module with its source map inline. */
  code: string;
  /** See `hashSources`; computed while the module runs. */
  hash: Promise<string>;
  /** Absolute paths of the user's files in it. */
  modules: string[];
  /** Absolute paths that decide what its imports by name mean, see `namedPlaces`. */
  places: Promise<string[]>;
  /** The files it was made of, to be kept with its runs. */
  loaded: Promise<LoadedFile[]>;
}

/** An import that leads nowhere. */
export interface MissingImport {
  /** As it is written, such as `./prompts`. */
  specifier: string;
  /** Absolute path of the file that it stands in. */
  from: string;
}

/** The files that the compiler has looked at, whether or not it has succeeded. */
export interface BundleReads {
  /** Absolute paths: code, and what code imports as text or data. */
  files: string[];
  missing: MissingImport[];
  /** Whether these are all the files: what cannot be read to its end may import more. */
  isComplete: boolean;
}

export interface BundleRequest {
  /** Absolute path of the workflow file. */
  entry: string;
  /** Where the module will be written: its source map is relative to that place. */
  outfile: string;
  /** Messages and element sources name files relative to it. */
  cwd: string;
  resolveOwn: OwnResolver;
  /** Stands before whatever is imported from outside the bundle, to be found again in its text. @default nothing */
  externalMark?: string;
  /** Minified texts of the last bundle, by text; those of this one afterwards. @default none are known */
  minified?: Map<string, string>;
  /** Called once the compiler is done. */
  onReads?(reads: BundleReads): void;
}

/**
 * Compiles a workflow file and the user's own files that it imports into one
 * module. Element sources (file and line) are compiled in.
 * @throws WORKFLOW_LOAD_FAILED with place and excerpt of each mistake
 */
export async function bundleWorkflow(request: BundleRequest): Promise<Bundle> {
  const { entry, cwd, resolveOwn, externalMark = "", onReads, minified = new Map() } = request;
  const use = useCompiler();
  const sources: SourceFile[] = [];
  const packages = new Set<string>();
  const names = new Set<string>();
  const plugins = [
    packagePlugin(resolveOwn, {
      externalMark,
      onPackage: (folder) => packages.add(folder),
      onName: (name) => names.add(name),
    }),
    sourcePlugin(
      (source) => sources.push(source),
      (folder) => packages.add(folder),
    ),
  ];
  const options = { ...buildOptions(request), plugins };
  const failure = (mistakes: readonly Message[]) =>
    compileFailure(relative(cwd, entry) || entry, mistakes, { sources, cwd });
  let code: string;
  try {
    const { outputFiles = [], metafile, warnings } = await use.esbuild.build(options);
    const files = Object.keys(metafile?.inputs ?? {}).map((file) => resolve(cwd, file));
    onReads?.({ files, missing: [], isComplete: true });
    const mistakes = mistakesAmong(warnings);
    if (mistakes.length > 0) throw failure(mistakes);
    code = hoistElementSources(outputFiles[0]?.text ?? "");
  } catch (error) {
    use.end();
    const { errors } = error as { errors?: Message[] };
    if (!Array.isArray(errors)) throw error;
    const files = [entry, ...sources.map(({ path }) => path)];
    onReads?.({ files, missing: missingImports(errors, cwd), isComplete: false });
    throw failure(errors);
  }
  const known = new Map(minified);
  minified.clear();
  const minify: Minify = async (text, loader) => {
    const key = `${loader} ${text}`;
    const code = known.get(key) ?? (await use.esbuild.transform(text, { ...MINIFY, loader })).code;
    minified.set(key, code);
    return code;
  };
  const texts = minifySources(sources, minify);
  const hash = texts.then((known) => hashSources(entry, known));
  const settings = texts.then((known) => settingsOf([realpathSync(entry), ...known.keys()]));
  const loaded = Promise.all([texts, settings]).then(([texts, settings]) =>
    loadedFiles({ entry, texts, packages, settings }),
  );
  const places = settings.then((found) => namedPlaces(names, found));
  // A module that fails first has the better error.
  void Promise.allSettled([hash, loaded, places]).finally(() => use.end());
  return { code, hash, loaded, places, modules: sources.map((source) => source.path) };
}

function buildOptions({ entry, outfile, cwd, externalMark = "" }: BundleRequest) {
  return {
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    charset: "utf8",
    sourcemap: "inline",
    jsx: "automatic",
    jsxDev: true,
    jsxImportSource: "treadle",
    legalComments: "none",
    // Two files may each have a component, or a class of errors, of one name: messages name it as its author does.
    keepNames: true,
    logLevel: "silent",
    // Only what Node itself would choose from a package's exports.
    conditions: [],
    define: PLACE_DEFINES,
    banner: { js: `${requireBanner(entry, externalMark)} ${SOURCE_TABLE_BANNER}` },
  } satisfies BuildOptions;
}

const MINIFY: TransformOptions = {
  jsx: "preserve",
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "silent",
};

/** By what the compiler, and this loader's own plugin, say of them. */
function missingImports(errors: readonly Message[], cwd: string): MissingImport[] {
  return errors.flatMap(({ text, location }) => {
    const specifier = /^(?:Could not resolve|Cannot find package) "([^"]+)"/.exec(text)?.[1];
    if (specifier === undefined || location === null) return [];
    return { specifier, from: resolve(cwd, location.file) };
  });
}

/** `require` of the workflow file, for code that still calls it. */
function requireBanner(entry: string, mark: string): string {
  return `import { createRequire as __createRequire } from "${mark}node:module"; const require = __createRequire(${JSON.stringify(entry)});`;
}
