import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { ParseError } from "jsonc-parser";

/** Folders that installed packages lie in. */
const PACKAGES = /[\\/]node_modules[\\/]/;

/** Options of a tsconfig that the compiler reads. */
const COMPILER_OPTIONS = [
  "alwaysStrict",
  "baseUrl",
  "experimentalDecorators",
  "importsNotUsedAsValues",
  "jsx",
  "jsxFactory",
  "jsxFragmentFactory",
  "jsxImportSource",
  "paths",
  "preserveValueImports",
  "strict",
  "target",
  "useDefineForClassFields",
  "verbatimModuleSyntax",
];

/** Members of a package.json that decide how imports in and of its package are resolved. */
const PACKAGE_MEMBERS = ["name", "type", "main", "module", "browser", "imports", "exports", "sideEffects"];

/** A file that has a say in imports. */
export interface Setting {
  /** Those members, as JSON. */
  text: string;
  /** A tsconfig that others extend, and that is not the nearest one of any of the files. */
  isBase: boolean;
}

/** The settings that the compiler reads for some files. */
export interface CompilerSettings {
  /** By absolute path. */
  found: Map<string, Setting>;
  /** Absolute paths where it would find others first, or what a setting extends in vain. */
  missing: Set<string>;
}

/**
 * The tsconfig and package.json files that have a say in what the imports of these files lead to, by path, each with
 * what it says about that. A file has the nearest of each above it, and a tsconfig what it extends.
 */
export function settingsOf(files: readonly string[]): Map<string, Setting> {
  const { found } = compilerSettings(files);
  for (const folder of foldersOf(files)) {
    const manifest = nearest(folder, ["package.json"]).file;
    if (manifest === undefined || found.has(manifest.path)) continue;
    found.set(manifest.path, { text: said(readJson(manifest.text), packagePart), isBase: false });
  }
  return found;
}

/** Of them, those of the compiler alone. Those of packages are theirs. */
export function compilerSettings(files: readonly string[]): CompilerSettings {
  const settings: CompilerSettings = { found: new Map(), missing: new Set() };
  for (const folder of foldersOf(files.filter((file) => !PACKAGES.test(file)))) {
    const { file, passed } = nearest(folder, ["tsconfig.json", "jsconfig.json"]);
    if (file !== undefined) addConfig(settings, file, false);
    for (const path of passed) settings.missing.add(path);
  }
  return settings;
}

function foldersOf(files: readonly string[]): Set<string> {
  return new Set(files.map((file) => dirname(file)));
}

interface FoundFile {
  path: string;
  text: string;
}

/** The first of these names in the folder or above it, and where it would be found first: not above the project if there is none. */
function nearest(from: string, names: readonly string[]): { file?: FoundFile; passed: string[] } {
  const passed: string[] = [];
  let ownPassed: number | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    for (const name of names) {
      const path = join(folder, name);
      const text = textOf(path);
      if (text !== undefined) return { file: { path, text }, passed };
      passed.push(path);
    }
    if (existsSync(join(folder, "package.json"))) ownPassed = passed.length;
    if (dirname(folder) === folder) return { passed: passed.slice(0, ownPassed ?? names.length) };
  }
}

function addConfig(settings: CompilerSettings, { path, text }: FoundFile, isBase: boolean): void {
  const known = settings.found.get(path);
  if (known !== undefined) {
    known.isBase &&= isBase;
    return;
  }
  const json = readJson(text);
  settings.found.set(path, { text: said(json, configPart), isBase });
  for (const base of [json.value["extends"]].flat()) {
    const places = typeof base === "string" ? extended(path, base) : [];
    const at = places.find((place) => textOf(place) !== undefined);
    if (at === undefined) for (const place of places) settings.missing.add(place);
    else addConfig(settings, { path: at, text: textOf(at) ?? "" }, true);
  }
}

/** Where the base may lie, in the order in which it is looked for. */
function extended(from: string, base: string): string[] {
  if (base.startsWith(".") || base.startsWith("/")) {
    const path = resolve(dirname(from), base);
    return [path, `${path}.json`];
  }
  try {
    return [createRequire(from).resolve(base)];
  } catch {
    return [];
  }
}

interface Json {
  /** Its readable part. */
  value: Record<string, unknown>;
  /** Set for a text that is no JSON, not even with comments. */
  broken?: string;
}

/** Settings may have comments; most have none, and Node reads those faster than the parser would be loaded. */
function readJson(text: string): Json {
  try {
    return { value: asObject(JSON.parse(text)) };
  } catch {
    const { parse } = createRequire(import.meta.url)("jsonc-parser") as typeof import("jsonc-parser");
    const errors: ParseError[] = [];
    const value = asObject(parse(text, errors, { allowTrailingComma: true }));
    return { value, broken: errors.length === 0 ? undefined : text };
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The part of a file that matters, as JSON; a file that is no JSON matters whole. */
function said({ value, broken }: Json, part: (content: Record<string, unknown>) => object): string {
  return JSON.stringify(broken === undefined ? part(value) : { text: broken });
}

function configPart({ extends: bases, compilerOptions }: Record<string, unknown>): object {
  return { extends: bases, ...pick(asObject(compilerOptions), COMPILER_OPTIONS) };
}

function packagePart(content: Record<string, unknown>): object {
  return pick(content, PACKAGE_MEMBERS);
}

function pick(content: Record<string, unknown>, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => name in content).map((name) => [name, content[name]]));
}

/** Undefined for what is no file that can be read. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
