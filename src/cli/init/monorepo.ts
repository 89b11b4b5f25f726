import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { parse as parseYaml } from "yaml";

/** The file above a folder that says which packages a monorepo has, and whether the folder is among them. */
export interface Monorepo {
  /** Absolute path. */
  readonly file: string;
  /** The folder as the file would name it, `/` between its parts. */
  readonly member: string;
  readonly isMember: boolean;
}

/** The monorepo that a folder lies in; undefined where it lies in none. */
export function monorepoOf(folder: string): Monorepo | undefined {
  for (let at = dirname(folder); ; at = dirname(at)) {
    for (const [name, read] of READERS) {
      const file = join(at, name);
      const patterns = existsSync(file) ? patternsIn(readFileSync(file, "utf8"), read) : undefined;
      if (patterns === undefined) continue;
      const member = relative(at, folder).split(sep).join("/");
      return { file, member, isMember: patterns.some((pattern) => fits(member, pattern)) };
    }
    if (existsSync(join(at, ".git")) || dirname(at) === at) return undefined;
  }
}

type Reader = (text: string) => unknown;

const READERS: readonly (readonly [name: string, read: Reader])[] = [
  ["pnpm-workspace.yaml", (text) => (parseYaml(text) as { packages?: unknown } | null)?.packages ?? []],
  ["package.json", (text) => membersOf((JSON.parse(text) as { workspaces?: unknown }).workspaces)],
];

/** npm has a list; yarn also an object around it. */
function membersOf(workspaces: unknown): unknown {
  return Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined)?.packages;
}

/** Undefined for a file that names none, or cannot be read. */
function patternsIn(text: string, read: Reader): string[] | undefined {
  try {
    const patterns = read(text);
    return Array.isArray(patterns) ? patterns.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** The three forms that are written: a folder, all folders of one, and all below one. */
function fits(member: string, pattern: string): boolean {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (plain.endsWith("/**")) return member.startsWith(plain.slice(0, -2));
  if (plain.endsWith("/*")) return dirname(member) === plain.slice(0, -2);
  return plain === "*" ? !member.includes("/") : member === plain;
}
