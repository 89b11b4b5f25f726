import { createRequire } from "node:module";
import type JsTokens from "js-tokens";
import { evaluateModule } from "../startup/compiled-script.js";
import { once } from "../util/once.js";
import { KeptTokens } from "./kept-tokens.js";
import { isSignificant, spelling } from "./token-spelling.js";

/** The table that the workflow loader moves the places of elements to; code refers to it by number. */
export const ELEMENT_SOURCES = "__elementSources";

/** The names in bundled code for the places of its own file, by property of `import.meta`. */
export const FILE_PLACES = {
  url: "__sourceUrl",
  dirname: "__sourceFolder",
  filename: "__sourceFile",
} as const;

/**
 * The part of a function's source that says what it does: no comments, no white space, not
 * the places of elements that development compilers write beside each of them, and
 * one spelling of what compilers print each in their way. A file has the same text
 * whether the workflow loader compiled it or `tsx`, which minifies white space.
 */
export function functionText(source: string): string {
  const tokens: string[] = [];
  for (const token of tokenizer()(source)) if (isSignificant(token)) tokens.push(spelling(token));
  const kept = new KeptTokens();
  for (let at = 0; at < tokens.length; ) {
    const rewrite = rewriteAt(tokens, at);
    if (rewrite === undefined) kept.push(tokens[at] as string, tokens[at + 1]);
    else rewrite.keep?.(kept);
    at += rewrite?.pattern.length ?? 1;
  }
  return kept.text();
}

const tokenizer = once(
  () => evaluateModule(createRequire(import.meta.url).resolve("js-tokens")) as typeof JsTokens,
);

type Pattern = readonly (string | null)[];

interface Rewrite {
  /** Tokens in a row; null is any one. */
  pattern: Pattern;
  /** Receives the kept tokens; none are kept, unless given. */
  keep?: (kept: KeptTokens) => void;
}

/** Where an element stands: in the loader's table, or as every compiler writes it as an argument of `jsxDEV`. */
const PLACES: readonly Pattern[] = [
  [ELEMENT_SOURCES, "[", null, "]"],
  ["{", "fileName", ":", null, ",", "lineNumber", ":", null, ",", "columnNumber", ":", null, "}"],
];
const endElement = (kept: KeptTokens) => kept.endElement();

/** The first that stands at a place counts. */
const REWRITES: readonly Rewrite[] = [
  ...PLACES.flatMap((place) => [
    { pattern: [...place, ",", "this"], keep: endElement },
    { pattern: [...place, ",", "void", "0"], keep: endElement },
    { pattern: place, keep: endElement },
  ]),
  // Code that esbuild writes to keep names: within a class, after a function, around a function.
  { pattern: ["static", "{", "__name", "(", "this", ",", null, ")", "}"] },
  { pattern: ["static", "{", "__name", "(", "this", ",", null, ")", ";", "}"] },
  { pattern: ["__name", "(", null, ",", null, ")", ";"] },
  { pattern: ["__name", "(", null, ",", null, ")"] },
  { pattern: ["__name", "("], keep: (kept) => kept.openName() },
  { pattern: ["void", "0"], keep: (kept) => kept.push("undefined") },
  ...Object.entries(FILE_PLACES).map(([property, name]) => ({
    pattern: ["import", ".", "meta", ".", property],
    keep: (kept: KeptTokens) => kept.push(name),
  })),
];

const BY_FIRST = new Map<string, Rewrite[]>();
for (const rewrite of REWRITES) {
  const first = rewrite.pattern[0] as string;
  BY_FIRST.set(first, [...(BY_FIRST.get(first) ?? []), rewrite]);
}

function rewriteAt(tokens: readonly string[], at: number): Rewrite | undefined {
  const known = BY_FIRST.get(tokens[at] as string);
  return known?.find(({ pattern }) =>
    pattern.every((expected, index) => expected === null || tokens[at + index] === expected),
  );
}
