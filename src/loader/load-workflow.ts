import { existsSync, mkdtempSync, statSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { withoutExit } from "./without-exit.js";
import { ServiceError } from "../errors/service-error.js";
import type { LoadedFile } from "../model/loaded-file.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { deferred } from "../util/deferred.js";
import { bundleWorkflow } from "./bundle-workflow.js";
import { exportPlace } from "./export-place.js";
import { importFailure } from "./import-failure.js";
import { frameBelow, placeFrame, placeText } from "./source-place.js";
import { resolveOwn } from "./resolve-own.js";
import { codeLoader } from "./source-plugin.js";
import { LONG_LOAD_MS, neverLoaded, stillLoading } from "./unfinished-load.js";

export interface LoadedWorkflow {
  /** With `opts.workflowHash` filled in, unless the file sets one. */
  workflow: ServiceWorkflow;
  /** Absolute path of the file. */
  path: string;
  workflowHash: string;
}

/** Notified of code that takes its time. */
export interface LongLoad {
  /** Milliseconds. @default 10 seconds */
  afterMs?: number;
  /** It may still come to its end. */
  notify(unfinished: ServiceError): void;
}

export interface LoadOptions {
  cwd: string;
  /** @default it is not reported */
  longLoad?: LongLoad;
  /** Loads what the caller needs besides, while the compiler works. */
  meanwhile?(): Promise<unknown>;
  /** Called with the absolute paths of the user's files once they are compiled. */
  onFiles?(paths: string[]): void;
  /** Called with what the code is made of, before any of it runs; what it throws keeps it from running. */
  beforeRun?(loaded: readonly LoadedFile[]): void;
}

/**
 * Loads a workflow file: compiles it with the files it imports, runs the module
 * and returns its default export. Stack traces name the user's lines from then
 * on. Nothing is written next to the file.
 *
 * @throws as loadModule; WORKFLOW_MISSING_DEFAULT, WORKFLOW_NOT_BUILT
 */
export async function loadWorkflow(file: string, options: LoadOptions): Promise<LoadedWorkflow> {
  const { module, path, shown, modules, hash, loaded, places } = await loadModule(file, options);
  const workflow = checkExports(module, { shown, cwd: options.cwd });
  const [workflowHash, workflowLoaded, decisive] = await Promise.all([hash, loaded, places]);
  const workflowModules = [...modules, ...decisive];
  const opts = { workflowHash, workflowModules, ...workflow.opts, workflowLoaded };
  return { workflow: { ...workflow, opts }, path, workflowHash };
}

export interface LoadedModule {
  /** Its exports. */
  module: Record<string, unknown>;
  /** Absolute path of the file. */
  path: string;
  /** The file as messages name it. */
  shown: string;
  /** Absolute paths of the user's files that it is made of. */
  modules: string[];
  /** Of its code. */
  hash: Promise<string>;
  /** The files it was made of. */
  loaded: Promise<readonly LoadedFile[]>;
  /** Absolute paths that decide what imports by name mean. */
  places: Promise<readonly string[]>;
}

/**
 * Loads a file of the user's with the files that it imports.
 * @throws WORKFLOW_NOT_FOUND, WORKFLOW_LOAD_FAILED, WORKFLOW_LOAD_UNFINISHED; what the library throws while the module runs, with the line
 */
export async function loadModule(
  file: string,
  { cwd, longLoad, meanwhile, onFiles, beforeRun }: LoadOptions,
): Promise<LoadedModule> {
  const path = resolve(cwd, file);
  const shown = shortPath(path, cwd);
  checkFile(path, shown);
  const folder = mkdtempSync(join(tmpdir(), "treadle-"));
  const outfile = join(folder, `${basename(path, extname(path))}.mjs`);
  try {
    // The compiler works in a process of its own; it starts first, and the library loads meanwhile.
    const [{ code, hash, modules, loaded, places }] = await Promise.all([
      bundleWorkflow({ entry: path, outfile, cwd, resolveOwn }),
      preloadLibrary(),
      meanwhile?.(),
    ]);
    onFiles?.(modules);
    beforeRun?.(await loaded);
    await writeFile(outfile, code);
    const place = { shown, cwd, modules };
    const module = await importModule(outfile, place, longLoad);
    return { module, path, shown, modules, hash, loaded, places };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As workflows import it: its own stacks stay as they are; reading all its source maps would cost more than loading it. */
async function preloadLibrary(): Promise<void> {
  await import(resolveOwn("treadle"));
}

async function importModule(
  outfile: string,
  place: Parameters<typeof importFailure>[1],
  longLoad: LongLoad | undefined,
): Promise<Record<string, unknown>> {
  process.setSourceMapsEnabled(true);
  const idle = deferred<never>();
  // Nothing is left that could settle a top-level `await`: Node would end the process without a word.
  const onIdle = () => idle.reject(neverLoaded(place.shown));
  process.once("beforeExit", onIdle);
  const { afterMs = LONG_LOAD_MS, notify } = longLoad ?? {};
  // Unlike those of a clock it does not keep a process that has nothing else to do.
  const late = setTimeout(() => notify?.(stillLoading(place.shown, afterMs)), afterMs).unref();
  try {
    const { shown, modules } = place;
    const load = (): Promise<Record<string, unknown>> => import(pathToFileURL(outfile).href);
    const importing = withoutExit({ shown, paths: [outfile, ...modules] }, load).catch((thrown: unknown) => {
      throw importFailure(thrown, place);
    });
    return await Promise.race([importing, idle.promise]);
  } finally {
    clearTimeout(late);
    process.off("beforeExit", onIdle);
  }
}

/** @throws WORKFLOW_NOT_FOUND, WORKFLOW_LOAD_FAILED */
export function checkFile(path: string, shown: string): void {
  if (!existsSync(path) || statSync(path).isDirectory()) {
    const what = existsSync(path)
      ? `${shown} is a folder, not a workflow file.`
      : `There is no file ${shown}.`;
    throw new ServiceError("WORKFLOW_NOT_FOUND", what, { details: { path: shown } });
  }
  if (codeLoader(path) === undefined) {
    throw new ServiceError(
      "WORKFLOW_LOAD_FAILED",
      `${shown} is not a TypeScript or JavaScript file; expected .tsx, .ts, .jsx or .js.`,
      { details: { path: shown } },
    );
  }
}

/** @throws WORKFLOW_MISSING_DEFAULT, WORKFLOW_NOT_BUILT */
export function checkExports(
  module: Record<string, unknown>,
  { shown, cwd }: { shown: string; cwd: string },
): ServiceWorkflow {
  const reported = (name: string) => {
    const place = exportPlace(shown, { cwd, name });
    return {
      where: place === undefined ? "" : ` (${placeText(place)})`,
      frame: place === undefined ? "" : frameBelow(placeFrame(place, cwd)),
      details: { path: shown, ...(place !== undefined && { at: placeText(place) }) },
    };
  };
  if (module["default"] === undefined) {
    const named = Object.keys(module).find((name) => isWorkflow(module[name]));
    const { where, frame, details } = reported(named ?? "default");
    const hint = named === undefined ? "" : `; its workflow is the export ${named}${where}`;
    throw new ServiceError("WORKFLOW_MISSING_DEFAULT", `${shown} has no default export${hint}.${frame}`, {
      details: { ...details, ...(named !== undefined && { export: named }) },
    });
  }
  if (isWorkflow(module["default"])) return module["default"];
  const { where, frame, details } = reported("default");
  throw new ServiceError(
    "WORKFLOW_NOT_BUILT",
    `The default export of ${shown} is ${describe(module["default"])}, not a workflow${where}.${frame}`,
    { details },
  );
}

/** Whether the file has no workflow at all: others import it, and nothing is wrong with it. */
export function isModuleOnly(thrown: unknown): boolean {
  return ServiceError.is(thrown, "WORKFLOW_MISSING_DEFAULT") && thrown.details?.["export"] === undefined;
}

/** By its shape: it may come from another copy of the library. */
export function isWorkflow(value: unknown): value is ServiceWorkflow {
  if (typeof value !== "object" || value === null) return false;
  const { build, opts } = value as Partial<ServiceWorkflow>;
  return typeof build === "function" && typeof opts === "object" && opts !== null;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return `the function ${value.name === "" ? "(anonymous)" : value.name}`;
  if (typeof value === "object" && "service" in value) return "the result of createService";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/** Relative to a folder when the file lies below it. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
