import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";

/** JSON with comments to JSON. @throws for what is neither */
export type Normalize = (text: string) => Promise<string>;

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

/**
 * The tsconfig and package.json files that have a say in what the imports of these files lead to, by path, each with
 * what it says about that. A file has the nearest of each above it, and a tsconfig what it extends.
 */
export async function settingsOf(
  files: Iterable<string>,
  normalize: Normalize,
): Promise<Map<string, Setting>> {
  const found = new Map<string, Setting>();
  for (const folder of new Set([...files].map((file) => dirname(file)))) {
    const manifest = nearest(folder, ["package.json"]);
    if (manifest !== undefined && !found.has(manifest.path)) {
      found.set(manifest.path, { text: await said(manifest.text, normalize, packagePart), isBase: false });
    }
    const config = nearest(folder, ["tsconfig.json", "jsconfig.json"]);
    if (config !== undefined) await addConfig(found, config, { normalize, isBase: false });
  }
  return found;
}

interface FoundFile {
  path: string;
  text: string;
}

function nearest(folder: string, names: readonly string[]): FoundFile | undefined {
  for (let at = folder; ; at = dirname(at)) {
    for (const name of names) {
      const text = textOf(join(at, name));
      if (text !== undefined) return { path: join(at, name), text };
    }
    if (dirname(at) === at) return undefined;
  }
}

async function addConfig(
  found: Map<string, Setting>,
  { path, text }: FoundFile,
  { normalize, isBase }: { normalize: Normalize; isBase: boolean },
): Promise<void> {
  const known = found.get(path);
  if (known !== undefined) {
    known.isBase &&= isBase;
    return;
  }
  const setting = { text: await said(text, normalize, configPart), isBase };
  found.set(path, setting);
  const { extends: bases = [] } = JSON.parse(setting.text) as { extends?: string | string[] };
  for (const base of [bases].flat()) {
    const at = extended(path, base);
    const content = at === undefined ? undefined : textOf(at);
    if (at !== undefined && content !== undefined)
      await addConfig(found, { path: at, text: content }, { normalize, isBase: true });
  }
}

function extended(from: string, base: string): string | undefined {
  if (!base.startsWith(".") && !base.startsWith("/")) {
    try {
      return createRequire(from).resolve(base);
    } catch {
      return undefined;
    }
  }
  const path = resolve(dirname(from), base);
  return [path, `${path}.json`].find((candidate) => textOf(candidate) !== undefined);
}

/** The part of a file that matters, as JSON; a file that is no JSON matters whole. */
async function said(
  text: string,
  normalize: Normalize,
  part: (content: Record<string, unknown>) => object,
): Promise<string> {
  try {
    return JSON.stringify(part(JSON.parse(await normalize(text)) as Record<string, unknown>));
  } catch {
    return JSON.stringify({ text });
  }
}

function configPart({ extends: bases, compilerOptions }: Record<string, unknown>): object {
  return { extends: bases, ...pick(compilerOptions as Record<string, unknown>, COMPILER_OPTIONS) };
}

function packagePart(content: Record<string, unknown>): object {
  return pick(content, PACKAGE_MEMBERS);
}

function pick(content: Record<string, unknown> = {}, names: readonly string[]): object {
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
