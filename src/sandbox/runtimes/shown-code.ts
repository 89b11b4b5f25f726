import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { isInside } from "../../process/inside.js";
import { packageFolder } from "../../process/installation.js";

/** This program: Node, the library, and the packages that it imports. */
export function ownCode(): string[] {
  const own = packageFolder();
  const node = realpathSync(process.execPath);
  const packages: string[] = [join(own, "node_modules")];
  for (let folder = own; dirname(folder) !== folder; folder = dirname(folder)) {
    if (basename(folder) === "node_modules") packages.push(folder);
  }
  const parts = [join(own, "dist"), join(own, "package.json"), ...packages, node];
  return [...new Set(parts.filter((path) => existsSync(path)))].flatMap((path) => {
    const real = realpathSync(path);
    return real === path ? [path] : [path, real];
  });
}

/** Packages that are installed in the run's folder, which a copy leaves out: the mount points, or links, are made in the copy. */
export function installedIn(rootDir: string, workspace: string): string[] {
  const found: string[] = [];
  const folders = [""];
  for (const folder of folders) {
    for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(join(folder, entry.name));
    }
    const packages = join(folder, "node_modules");
    const original = join(rootDir, packages);
    const stat = lstatSync(original, { throwIfNoEntry: false });
    if (stat === undefined || !existsSync(original)) continue;
    mountPoint(join(workspace, packages), stat.isSymbolicLink() ? readlinkSync(original) : undefined);
    found.push(realpathSync(original));
  }
  return [...new Set(found)];
}

/** Of a workspace that is kept an earlier sandbox may have left something else in this place, such as a link to anywhere. */
function mountPoint(path: string, link: string | undefined): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined && there?.isDirectory() === true) return;
  rmSync(path, { recursive: true, force: true });
  if (link === undefined) mkdirSync(path);
  else symlinkSync(link, path);
}

/** Modules outside of the run's folder, and the packages that they may import. */
export function modulesAround(modules: readonly string[], rootDir: string): string[] {
  return modules
    .filter((path) => !isInside(path, rootDir))
    .flatMap((path) => {
      const found = existsSync(path) ? [path] : [];
      for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
        const packages = join(folder, "node_modules");
        if (existsSync(packages)) found.push(packages, realpathSync(packages));
      }
      return found;
    });
}

/** Empty and its own: volumes may stand in them. */
const SCRATCH = ["/tmp", "/var/tmp"];

/**
 * @param container place of a volume
 * @throws SANDBOX_EXECUTION_FAILED where something else stands: it would be covered, or could not be made
 */
export function refuseMeeting(container: string, others: readonly string[]): void {
  const inTheWay = others.find(
    (path) =>
      path === container ||
      isInside(path, container) ||
      (isInside(container, path) && !SCRATCH.includes(path)),
  );
  if (inTheWay === undefined) return;
  throw new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The volume at ${container} would meet ${inTheWay}, which the sandbox has already: choose another place, such as one below /opt.`,
    { details: { container, inTheWay }, retryable: false },
  );
}
