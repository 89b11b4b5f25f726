import { importFailure } from "../loader/import-failure.js";
import { type BundleReads, bundleWorkflow } from "../loader/bundle-workflow.js";
import { checkExports, checkFile, shortPath } from "../loader/load-workflow.js";
import { resolveOwn } from "../loader/resolve-own.js";
import { ServiceError } from "../errors/service-error.js";
import type { LoadedFile } from "../model/loaded-file.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { toFunctionModule } from "./function-module.js";
import { runFunctionModule, runModule } from "./import-generation.js";
import type { Overlay } from "./overlay.js";

/** A workflow file, compiled. */
export interface CompiledGeneration {
  readonly code: string;
  readonly hash: Promise<string>;
  readonly modules: readonly string[];
  readonly loaded: Promise<readonly LoadedFile[]>;
  readonly places: Promise<readonly string[]>;
}

export interface GenerationPlace {
  /** Absolute path of the workflow file. */
  readonly entry: string;
  readonly cwd: string;
  readonly overlay: Overlay;
  /** Minified texts of the files, by text. */
  readonly minified: Map<string, string>;
  /** Stands before what is imported from outside. */
  readonly mark: string;
}

/** @throws WORKFLOW_NOT_FOUND, WORKFLOW_LOAD_FAILED with the lines where it goes wrong */
export async function compileGeneration(
  { entry, cwd, overlay, mark, minified }: GenerationPlace,
  onReads: (reads: BundleReads) => void,
): Promise<CompiledGeneration> {
  const shown = shortPath(entry, cwd);
  try {
    checkFile(entry, shown);
  } catch (error) {
    onReads({ files: [entry], missing: [], isComplete: false });
    throw error;
  }
  const outfile = overlay.placeOf(0, ".js");
  return bundleWorkflow({ entry, outfile, cwd, resolveOwn, externalMark: mark, minified, onReads });
}

/**
 * Runs a compiled workflow file and returns its default export.
 * @throws HOT_OVERLAY_FAILED, HOT_RELOAD_INVALID_MODULE; what its code throws, with the lines
 */
export async function loadGeneration(
  { entry, cwd, overlay, mark }: GenerationPlace,
  { code, hash, loaded, places, modules }: CompiledGeneration,
  generation: number,
): Promise<ServiceWorkflow> {
  const shown = shortPath(entry, cwd);
  const asFunction = toFunctionModule(code, mark);
  const file = overlay.placeOf(generation, asFunction === undefined ? ".mjs" : ".cjs");
  process.setSourceMapsEnabled(true);
  overlay.write(file, asFunction ?? code.replaceAll(mark, ""));
  const module = await (asFunction === undefined ? runModule(file) : runFunctionModule(file)).catch(
    (thrown) => {
      throw importFailure(thrown, { shown, cwd, modules });
    },
  );
  const workflow = defaultExport(module, { shown, cwd });
  const [workflowHash, workflowLoaded, decisive] = await Promise.all([hash, loaded, places]);
  const opts = {
    workflowHash,
    workflowModules: [...modules, ...decisive],
    ...workflow.opts,
    workflowLoaded,
  };
  return { ...workflow, opts };
}

function defaultExport(
  module: Record<string, unknown>,
  place: { shown: string; cwd: string },
): ServiceWorkflow {
  try {
    return checkExports(module, place);
  } catch (error) {
    if (!ServiceError.is(error)) throw error;
    const { summary, details } = error;
    throw new ServiceError("HOT_RELOAD_INVALID_MODULE", summary, {
      cause: error,
      ...(details && { details }),
    });
  }
}
