import type { Message } from "esbuild";

/** Warnings of the compiler about code that throws whenever it runs. */
const ALWAYS_THROWS: ReadonlySet<string> = new Set([
  "call-import-namespace",
  "class-name-will-throw",
  "delete-super-property",
  "private-name-will-throw",
]);

/** The warnings that mean a broken program, as mistakes. The others are left to linters. */
export function mistakesAmong(warnings: readonly Message[]): Message[] {
  return warnings.filter((warning) => ALWAYS_THROWS.has(warning.id) || isMissingExport(warning));
}

/** A member of `import * as` that is only read may be missing on purpose; one that is called or rendered may not. */
function isMissingExport({ id, location }: Message): boolean {
  if (id !== "import-is-undefined") return false;
  if (location === null) return true;
  const line = Buffer.from(location.lineText, "utf8");
  const before = line.subarray(0, location.column).toString("utf8");
  if (!before.trimEnd().endsWith(".")) return true;
  const after = line.subarray(location.column + location.length).toString("utf8");
  return /^\s*\(/.test(after) || /<\s*[\w$]+\s*\.\s*$/.test(before);
}

const MODULE_WORD = /\b(?:import|export|require|module|exports)\b/;
const COMMENT_LINES = /^\s*(?:\/\/.*$|\/\*[\s\S]*?\*\/)/gm;

/**
 * Whether nothing in a file says what kind of module it is, such as one that is empty or commented out. The compiler
 * gives those who import from it undefined; as an ES module it is one that exports nothing, and their imports are mistakes.
 */
export function hasNoModuleSyntax(text: string): boolean {
  return !MODULE_WORD.test(text) || !MODULE_WORD.test(text.replaceAll(COMMENT_LINES, ""));
}
