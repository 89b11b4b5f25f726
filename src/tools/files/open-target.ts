import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { isInside } from "../../process/inside.js";
import { packageFolders } from "../../process/package-folders.js";
import { currentProcessTerms } from "../../process/process-terms.js";
import { openSandboxRoot, resolveInside, type SandboxPath } from "./sandbox-path.js";

/** Folders whose content makes other programs run code: git, jj and Mercurial hooks and settings, everything its packages. */
const NOT_CHANGED: ReadonlySet<string> = new Set([".git", ".jj", ".hg", "node_modules"]);
/** The engine's own state: it is neither changed nor read. */
const STATE_FOLDER = ".service";
const DATABASE = /^service\.db/;

/** The kind of access, and the exceptions that a context permits. */
export interface Access {
  readonly rootDir: string;
  /** Paths, relative to the root, that the rules do not hold for. */
  readonly writable: readonly string[];
}

/**
 * The real place of a path inside the root, unless it is one that tools leave alone.
 * @throws TOOL_PATH_ESCAPE, TOOL_PATH_INVALID, TOOL_PATH_PROTECTED
 */
export async function openTarget(
  access: Access,
  path: string,
  purpose: "read" | "change",
): Promise<SandboxPath> {
  const target = await resolveInside(await openSandboxRoot(access.rootDir), path);
  const parts = [...target.folders, target.name].filter((part) => part !== "");
  const reason = protection(target.root.realPath, parts, purpose);
  if (reason === undefined || isWritable(access, target.root.realPath, parts)) return target;
  throw new ServiceError("TOOL_PATH_PROTECTED", `The path "${path}" ${reason}.`, {
    details: { path, purpose },
  });
}

/** Whether a search passes over an entry of a folder: `path` is relative to the root. */
export function isHiddenFrom(access: Access, root: string, path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  return protection(root, parts, "read") !== undefined && !isWritable(access, root, parts);
}

/** Files and folders that commands may neither see nor change, without what the context permits. */
export function confinedPlaces(access: Access): { hidden: string[]; frozen: string[] } {
  const { hidden, frozen } = currentProcessTerms();
  const root = realPath(access.rootDir);
  const isKept = (path: string) => !isWritable(access, root, partsBelow(root, path));
  const packages = packageFolders(root, frozen);
  const configurations = readdirSync(root)
    .map((name) => join(root, name))
    .filter((path) => isLoadersChoice(path, []));
  return {
    hidden: hidden.filter(isKept),
    frozen: [...frozen, ...packages, ...configurations].filter(isKept),
  };
}

function protection(root: string, parts: readonly string[], purpose: "read" | "change"): string | undefined {
  const names = parts.map(plainName);
  const place = join(root, ...parts);
  const { hidden, frozen } = currentProcessTerms();
  const isState = names.includes(STATE_FOLDER) || DATABASE.test(names.at(-1) ?? "");
  if (isState || hidden.some((path) => lies(place, path))) {
    return "belongs to the engine's own state, which tools leave alone";
  }
  if (purpose === "read") return undefined;
  const folder = names.find((name) => NOT_CHANGED.has(name));
  if (folder !== undefined) return `lies in ${folder}, which tools do not change`;
  if (frozen.some((path) => place === path)) {
    return "is a module of the running workflow, which tools do not change";
  }
  const plain = (path: string) => join(root, ...partsBelow(root, path).map(plainName));
  return isLoadersChoice(plain(place), frozen.map(plain))
    ? "would decide which code is loaded by the next start, which tools leave to people"
    : undefined;
}

function isWritable({ writable }: Access, root: string, parts: readonly string[]): boolean {
  const place = join(root, ...parts);
  return writable.some((path) => lies(place, resolve(root, path)));
}

function lies(place: string, inside: string): boolean {
  return relative(inside, place) === "" || isInside(place, inside);
}

function partsBelow(root: string, path: string): string[] {
  return relative(root, path).split("/");
}

/** Some file systems take these spellings for the same name: other case, and characters that are not seen. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Endings that a loader may put behind a name, more than once as in `lib.js.tsx`, before it takes the file that is there. */
const ENDINGS = /^(?:\.(?:[cm]?[jt]sx?|json|css|mdx?|txt))*$/;
const INDEX = "index";
/** They decide what the imports of everything below them mean. */
const CONFIGURATION = /^(?:package|[tj]sconfig(?:\..*)?)\.json$|^\.pnp\./;
/** Started by the next `treadle gateway`, in whatever folder. */
const GATEWAY = "treadle.gateway";

/**
 * Whether a new file would be loaded in the place of a module, or decide which one is. Folders and
 * names are compared in the plain spelling that the caller has brought them to.
 * @param modules absolute paths of the running workflow's files
 */
function isLoadersChoice(place: string, modules: readonly string[]): boolean {
  const [folder, name] = [dirname(place), basename(place)];
  if (isNamed(name, GATEWAY)) return true;
  return modules.some((module) => {
    const home = dirname(module);
    if (CONFIGURATION.test(name) && (home === folder || home.startsWith(`${folder}/`))) return true;
    if (home === folder && isNamed(name, stemOf(module))) return true;
    // `./parts` is `parts.tsx` before it is `parts/index.ts`.
    return stemOf(module) === INDEX && dirname(home) === folder && isNamed(name, basename(home));
  });
}

/** Without the endings that a loader puts there: `a.b.ts` is also found as `a.b`. */
function stemOf(module: string): string {
  return basename(module).replace(/\.(?:[cm]?[jt]sx?|json|mdx?|txt)$/, "");
}

function isNamed(name: string, stem: string): boolean {
  return name.startsWith(stem) && ENDINGS.test(name.slice(stem.length));
}
