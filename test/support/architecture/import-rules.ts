import { posix } from "node:path";
import { areaOf, FOLDERS_WITH_DOORS, ISLANDS, QUARANTINES } from "./house-plan.js";
import type { ImportReference, SourceFile } from "./source-file.js";

const OWN_PACKAGE = "treadle";

/** Imports that reach a folder of the same or a higher rank, or a folder without rank. */
export function findUpwardImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = areaOf(file.path);
    if (from === undefined) return [`${file.path}: its folder has no rank`];
    return file.imports.flatMap((reference) => {
      const target = targetPath(file, reference);
      if (target === undefined || target === "package.json") return [];
      const to = areaOf(target);
      if (to !== undefined && (to.name === from.name || to.rank < from.rank)) return [];
      const reason = to === undefined ? "no rank" : `rank ${to.rank}`;
      return [`${at(file, reference)} (rank ${from.rank}) imports ${target} (${reason})`];
    });
  });
}

/** Groups of files that import each other, types included; each offender shows one way round. */
export function findImportCycles(files: readonly SourceFile[]): string[] {
  const edges = importGraph(files);
  const offenders: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      offenders.push([...trail.slice(start), path].join(" -> "));
      return;
    }
    if (finished.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return offenders;
}

/** Imports of a file of a large folder that do not come by its index. What is loaded lazily is loaded by itself. */
export function findImportsPastDoors(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((reference) => {
      const target = reference.kind === "dynamic" ? undefined : targetPath(file, reference);
      const folder = FOLDERS_WITH_DOORS.find((path) => target?.startsWith(path));
      if (folder === undefined || file.path.startsWith(folder)) return [];
      return target === `${folder}index.js` ? [] : [`${at(file, reference)} imports ${target}`];
    }),
  );
}

/** Imports of packages outside the folders that they are confined to. */
export function findEscapedPackages(files: readonly SourceFile[]): string[] {
  return packageImports(files).flatMap(({ file, reference, name }) =>
    QUARANTINES.filter(({ packages, homes }) => packages.includes(name) && !homes.test(file.path)).map(
      ({ homesInWords }) => `${at(file, reference)} imports ${name}, which belongs into ${homesInWords}`,
    ),
  );
}

/** Imports of packages by folders that must do without them. */
export function findIslandImports(files: readonly SourceFile[]): string[] {
  return packageImports(files).flatMap(({ file, reference, name }) => {
    const island = ISLANDS.find((candidate) => candidate.files.test(file.path));
    if (island === undefined || island.packages.includes(name)) return [];
    const allowed = island.packages.length === 0 ? "no package" : `only ${island.packages.join(", ")}`;
    return [`${at(file, reference)} imports ${name}, but may import ${allowed}`];
  });
}

/** Packages loaded at run time that an installation of ours would not bring along. */
export function findUndeclaredPackages(files: readonly SourceFile[], declared: readonly string[]): string[] {
  return packageImports(files)
    .filter(({ reference }) => reference.kind !== "type")
    .filter(({ name }) => !name.startsWith("node:") && !declared.includes(name))
    .map(({ file, reference, name }) => `${at(file, reference)} imports ${name}`);
}

function packageImports(files: readonly SourceFile[]) {
  return files.flatMap((file) =>
    file.imports
      .map((reference) => ({ file, reference, name: packageName(reference.specifier) }))
      .filter(({ file, reference }) => targetPath(file, reference) === undefined),
  );
}

/** `@scope/name/part` is of the package `@scope/name`, `node:fs/promises` of `node:fs`. */
function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** The path in our own package that an import names; undefined for other packages. */
function targetPath(file: SourceFile, { specifier }: ImportReference): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file.path), specifier);
  if (specifier === OWN_PACKAGE) return "src/index.ts";
  if (!specifier.startsWith(`${OWN_PACKAGE}/`)) return undefined;
  const subpath = specifier.slice(OWN_PACKAGE.length + 1);
  return subpath.startsWith("jsx-") ? `jsx-runtime/${subpath}.ts` : `src/${subpath}/index.ts`;
}

function importGraph(files: readonly SourceFile[]): Map<string, string[]> {
  const paths = new Set(files.map(({ path }) => path));
  const resolve = (target: string) =>
    [target, target.replace(/\.js$/, ".ts"), target.replace(/\.jsx?$/, ".tsx")].find((path) =>
      paths.has(path),
    );
  return new Map(
    files.map((file) => {
      const targets = file.imports.map((reference) => resolve(targetPath(file, reference) ?? ""));
      return [file.path, targets.filter((target) => target !== undefined)];
    }),
  );
}

function at(file: SourceFile, { line }: ImportReference): string {
  return `${file.path}:${line}`;
}
