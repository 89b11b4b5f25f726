import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";

/** Where a specifier leads when it is resolved from this library's own files. @throws when it leads nowhere */
export type OwnResolver = (specifier: string) => string;

/**
 * The library itself and React exist once per process: a workflow that brought
 * its own copy would render with one React and be read by another.
 */
const SHARED = /^(?:treadle|react)(?:\/|$)/;

/** Found next to the library when the workflow's folder has no copy: enough for a lone file. */
const LENT = /^(?:zod|ai|@ai-sdk\/[^/]+)(?:\/|$)/;

/** Marks a resolution that this plugin asks for itself. */
const ASKED = { isOwnQuestion: true };

export interface PackageOptions {
  /** Stands before the paths of what stays outside. */
  externalMark: string;
  /** Called with the folder of each installed package that is imported; of those lent to a lone file, with none. */
  onPackage(folder: string): void;
  /** Called with each name that is looked for from the file that imports it. */
  onName(name: string): void;
}

/**
 * Packages stay outside the bundle and are found from the file that imports
 * them. Files of the user's own workspace packages, symbolic links resolved, are
 * bundled like their other sources.
 */
export function packagePlugin(resolveOwn: OwnResolver, options: PackageOptions): Plugin {
  return {
    name: "packages",
    setup(build) {
      // Neither relative nor absolute.
      build.onResolve({ filter: /^[^./]/ }, async (request) => {
        if (request.pluginData === ASKED || request.kind === "entry-point") return undefined;
        const found = await find(build, request, { resolveOwn, ...options });
        if (found.external !== true || found.path === undefined) return found;
        // `require` knows neither URLs nor the mark.
        if (isRequire(request)) return { ...found, path: requirable(found.path) };
        return { ...found, path: `${options.externalMark}${found.path}` };
      });
    },
  };
}

/**
 * `/app/node_modules/zod` of a file in it; undefined for what is no installed package. Where packages
 * are kept by their versions and linked to, it is the folder that the links stand in: another version is in the
 * same place.
 */
export function installedFolder(file: string): string | undefined {
  const [, place, name] = /^(.*[\\/]node_modules)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  if (place === undefined || name === undefined) return undefined;
  return join(place.replace(/([\\/]node_modules)[\\/]\.[^\\/]+[\\/][^\\/]+[\\/]node_modules$/, "$1"), name);
}

function isRequire({ kind }: OnResolveArgs): boolean {
  return kind === "require-call" || kind === "require-resolve";
}

function requirable(path: string): string {
  return path.startsWith("file:") ? fileURLToPath(path) : path;
}

type Finding = Pick<PackageOptions, "onPackage" | "onName"> & { resolveOwn: OwnResolver };

async function find(build: PluginBuild, request: OnResolveArgs, finding: Finding): Promise<OnResolveResult> {
  if (isBuiltin(request.path)) return { path: request.path, external: true };
  if (SHARED.test(request.path)) return shared(request, finding.resolveOwn);
  finding.onName(request.path);
  return fromImporter(build, request, finding);
}

function shared({ path }: OnResolveArgs, resolveOwn: OwnResolver): OnResolveResult {
  const found = tryResolve(path, resolveOwn);
  if (found !== undefined) return { path: found, external: true };
  return { errors: [{ text: `"${path}" is not part of the installed treadle` }] };
}

async function fromImporter(
  build: PluginBuild,
  request: OnResolveArgs,
  { resolveOwn, onPackage }: Finding,
): Promise<OnResolveResult> {
  const { path, resolveDir, importer, kind } = request;
  const options = { resolveDir, importer, kind, with: request.with, pluginData: ASKED };
  const found = await build.resolve(path, options);
  if (found.errors.length === 0) {
    if (found.external || !/[\\/]node_modules[\\/]/.test(found.path)) {
      const { external, namespace, sideEffects, suffix } = found;
      return { path: found.path, external, namespace, sideEffects, suffix };
    }
    const folder = installedFolder(found.path);
    if (folder !== undefined) onPackage(folder);
    return { path: pathToFileURL(found.path).href, external: true };
  }
  const lent = LENT.test(path) ? tryResolve(path, resolveOwn) : undefined;
  if (lent !== undefined) return { path: lent, external: true };
  return { errors: [{ text: whyNotFound(path) }] };
}

function whyNotFound(path: string): string {
  const [, bun, deno] = /^(?:(bun(?:$|:))|((?:deno|jsr|npm):|https?:))/.exec(path) ?? [];
  if (bun !== undefined) return `"${path}" is part of Bun; workflows run in Node`;
  if (deno !== undefined)
    return `"${path}" is a specifier of Deno; install the package, and import it by its name`;
  return `Cannot find package "${path}"; install it next to the workflow`;
}

function tryResolve(specifier: string, resolveOwn: OwnResolver): string | undefined {
  try {
    return resolveOwn(specifier);
  } catch {
    return undefined;
  }
}
