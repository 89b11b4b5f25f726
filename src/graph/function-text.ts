import jsTokens from "js-tokens";

/** The table that the workflow loader moves the places of elements to; code refers to it by number. */
export const ELEMENT_SOURCES = "__elementSources";

const INSIGNIFICANT = new Set([
  "WhiteSpace",
  "LineTerminatorSequence",
  "SingleLineComment",
  "MultiLineComment",
]);

/**
 * What of a function's source says what it does: no comments, no white space, and
 * not the places of elements that development compilers write beside each of them.
 * They change with every line and every element further up.
 */
export function functionText(source: string): string {
  const tokens: string[] = [];
  for (const token of jsTokens(source)) if (!INSIGNIFICANT.has(token.type)) tokens.push(token.value);
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = PLACES.map((place) => lengthAt(tokens, at, place)).find((found) => found > 0) ?? 0;
    if (length === 0) kept.push(tokens[at] as string);
    at += Math.max(1, length);
  }
  return kept.join(" ");
}

/** A token, or whatever stands there. */
type Place = readonly (string | null)[];

const PLACES: readonly Place[] = [
  [ELEMENT_SOURCES, "[", null, "]"],
  // As the fifth argument of `jsxDEV` is written: by any compiler in this order.
  ["{", "fileName", ":", null, ",", "lineNumber", ":", null, ",", "columnNumber", ":", null, "}"],
];

function lengthAt(tokens: readonly string[], at: number, place: Place): number {
  const matches = place.every((expected, index) => expected === null || tokens[at + index] === expected);
  return matches ? place.length : 0;
}
