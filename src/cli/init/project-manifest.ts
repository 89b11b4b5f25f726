import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { packageFolder, readVersion } from "../../process/installation.js";
import type { Installer } from "./installer.js";
import { type Template, type TemplateName, TEMPLATES } from "./templates.js";

/** Packages that a project needs beside treadle to run, and to be checked and tested. */
const PEERS = ["react", "zod"];
const TOOLS = ["@types/node", "@types/react", "tsx", "typescript"];

interface OwnManifest {
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

export interface ManifestRequest {
  /** Absolute path of the project's folder. */
  folder: string;
  template: TemplateName;
  packageManager: Installer;
}

/** The text of a new project's package.json. */
export function projectManifest({ folder, template, packageManager }: ManifestRequest): string {
  const about: Template = TEMPLATES[template];
  const own = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as OwnManifest;
  const newer = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `^${own.devDependencies[name]}`]));
  const dependencies = {
    ...pick(own.peerDependencies, PEERS),
    ...newer(about.packages ?? []),
    treadle: ownSource({ project: folder, own: realpathSync(packageFolder()) }),
  };
  const devDependencies = newer(TOOLS);
  const manifest = {
    name: packageName(basename(folder), [...Object.keys(dependencies), ...TOOLS]),
    private: true,
    type: "module",
    ...about.manifest,
    scripts: { start: about.start, test: "tsx --test *.test.ts", check: "tsc --noEmit" },
    dependencies,
    devDependencies,
    // The native part of the store and the compiler: the only packages whose install scripts are needed.
    ...(packageManager === "pnpm"
      ? { pnpm: { onlyBuiltDependencies: Object.keys(own.allowScripts) } }
      : { allowScripts: own.allowScripts }),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function pick(versions: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, versions[name] as string]));
}

/** A name that npm accepts; a package cannot have the name of one that it installs. */
function packageName(folder: string, taken: readonly string[]): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 200);
  if (name === "") return "workflows";
  return taken.includes(name) ? `${name}-workflows` : name;
}

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
