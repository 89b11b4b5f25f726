import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { readVersion } from "../../process/installation.js";

/**
 * The version specifier by which a new project gets the very version that made it: its number,
 * or, where this one came from a file or is a checkout, the way there from the project's folder.
 * @param project where it will be
 * @param own where this package is
 */
export function ownSource({ project, own }: { project: string; own: string }): string {
  const modules = dirname(own);
  if (basename(modules) !== "node_modules") return fileSource(project, own);
  const source = installedFrom(modules, basename(own));
  return source === undefined ? readVersion() : fileSource(project, source);
}

/** The tarball or folder that npm has installed a package from, as its hidden lockfile says. */
function installedFrom(modules: string, name: string): string | undefined {
  const lockfile = join(modules, ".package-lock.json");
  if (!existsSync(lockfile)) return undefined;
  const { packages = {} } = JSON.parse(readFileSync(lockfile, "utf8")) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const path = /^file:(.+)/.exec(packages[`node_modules/${name}`]?.resolved ?? "")?.[1];
  return path === undefined ? undefined : resolve(dirname(modules), path);
}

function fileSource(project: string, path: string): string {
  return `file:${relative(project, path).split(sep).join("/")}`;
}
