import { ELEMENT_SOURCES as TABLE } from "../graph/function-text.js";

/** Declares the table; stands on the first line of a bundle, before any code. */
export const SOURCE_TABLE_BANNER = `const ${TABLE} = [];`;

/** The compiler's text for the fifth argument of `jsxDEV`. */
const SOURCE =
  /\{\n\s*fileName: ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`),\n\s*lineNumber: (\d+),\n\s*columnNumber: (\d+)\n(\s*)\}/g;

/**
 * Moves the places of elements out of the code into one table. A task's
 * definition is compared by the text of its function: with the places in it, a
 * comment further up, or a call from another folder, would look like a change.
 * Lines and columns of everything else stay as they are, for the source map.
 */
export function hoistElementSources(code: string): string {
  const table: string[] = [];
  const hoisted = code.replaceAll(
    SOURCE,
    (_all, file: string, line: string, column: string, indent: string) => {
      table.push(`{fileName:${file},lineNumber:${line},columnNumber:${column}}`);
      return `${TABLE}[${table.length - 1}]\n\n\n\n${indent} `;
    },
  );
  return hoisted.replace(SOURCE_TABLE_BANNER, () => `const ${TABLE} = [${table.join(",")}];`);
}
