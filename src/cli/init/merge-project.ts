import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { mergeJson, type WantedMember } from "./merge-json.js";

/** The merge of a file that is there already and is not the template's alone. */
export interface MergedFile {
  readonly name: string;
  /** All of it, as it will be. */
  readonly text: string;
  /** Additions, a line for each. */
  readonly added: readonly string[];
  /** Differences from the template that the file keeps, a line for each. */
  readonly kept: readonly string[];
}

/** How the text of a file is brought together with the template's; undefined where the file is not what it should be. */
type Merge = (existing: string, wanted: string, folder: string) => Omit<MergedFile, "name"> | undefined;

const MERGES: Readonly<Record<string, Merge>> = {
  "package.json": (existing, wanted, folder) =>
    mergeObjects(existing, manifestMembers(wanted, { hasCode: hasCode(folder) })),
  "tsconfig.json": (existing, wanted) => mergeObjects(existing, settingsMembers(existing, wanted)),
  ".gitignore": mergeLines,
};

/**
 * Of the files of a project, those that are there and can get what they lack. A link is none of them: what it leads
 * to may be outside.
 */
export function mergeableFiles(folder: string, files: ReadonlyMap<string, Buffer>): MergedFile[] {
  return Object.entries(MERGES).flatMap(([name, merge]) => {
    const path = join(folder, name);
    const wanted = files.get(name);
    if (wanted === undefined || !isPlainFile(path)) return [];
    const merged = merge(readFileSync(path, "utf8"), String(wanted), folder);
    return merged === undefined ? [] : [{ name, ...merged }];
  });
}

function isPlainFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function mergeObjects(
  existing: string,
  wanted: readonly WantedMember[],
): Omit<MergedFile, "name"> | undefined {
  const merged = mergeJson(existing, wanted);
  if (merged === undefined) return undefined;
  const name = ({ path }: WantedMember) => path.join(".");
  return {
    text: merged.text,
    added: merged.added.map((member) => `${name(member)}: ${JSON.stringify(member.value)}`),
    kept: merged.kept.map(
      (member) =>
        `${name(member)}: ${JSON.stringify(member.is) ?? "not set"} (the template has ${JSON.stringify(member.value)})`,
    ),
  };
}

const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The name and what it exports are the package's own. */
const ADDED = ["scripts", "dependencies", "devDependencies", "allowScripts"];

/** The kind of its modules decides how Node reads files that are there: only where there are none yet is it added. */
function manifestMembers(wanted: string, { hasCode }: { hasCode: boolean }): WantedMember[] {
  const manifest = JSON.parse(wanted) as Record<string, unknown>;
  const type = { path: ["type"], value: manifest["type"], isNeverAdded: hasCode };
  const groups = ADDED.flatMap((group) =>
    Object.entries((manifest[group] ?? {}) as Record<string, unknown>).map(([name, value]) => ({
      path: [group, name],
      value,
      elsewhere: DEPENDENCIES.includes(group) ? DEPENDENCIES.map((other) => [other, name]) : [],
    })),
  );
  const pnpm = manifest["pnpm"] === undefined ? [] : [{ path: ["pnpm"], value: manifest["pnpm"] }];
  return [type, ...groups, ...pnpm];
}

/** Any folder may have some; those of tools begin with a dot. */
function hasCode(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.isDirectory()) return entry.name !== "node_modules" && !entry.name.startsWith(".");
    return /\.[jt]sx?$/.test(entry.name);
  });
}

/** Settings that elements need; how strict the rest is, is the project's own choice. */
const NEEDED_SETTINGS = ["module", "jsx", "jsxImportSource", "skipLibCheck"];

interface Settings {
  extends?: unknown;
  compilerOptions?: Readonly<Record<string, unknown>>;
}

function settingsMembers(existing: string, wanted: string): WantedMember[] {
  const { compilerOptions } = JSON.parse(wanted) as { compilerOptions: Record<string, unknown> };
  const settings = parse(existing) as Settings | undefined;
  // The settings it extends may say how modules are resolved.
  const names = NEEDED_SETTINGS.filter((name) => name !== "module" || settings?.extends === undefined);
  // The compiler reads NodeNext and nodenext as the same.
  const isSame = (name: string) =>
    String(settings?.compilerOptions?.[name]).toLowerCase() === String(compilerOptions[name]).toLowerCase();
  return names
    .filter((name) => !isSame(name))
    .map((name) => ({ path: ["compilerOptions", name], value: compilerOptions[name] }));
}

function mergeLines(existing: string, wanted: string): Omit<MergedFile, "name"> {
  const known = new Set(existing.split(/\r?\n/).map((line) => line.trim().replace(/\/$/, "")));
  const added = wanted
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !known.has(line.replace(/\/$/, "")));
  if (added.length === 0) return { text: existing, added, kept: [] };
  const eol = existing.includes("\r\n") ? "\r\n" : "\n";
  const gap = existing === "" || existing.endsWith("\n") ? "" : eol;
  return { text: `${existing}${gap}${added.join(eol)}${eol}`, added, kept: [] };
}
