import type { Message } from "esbuild";
import { ServiceError } from "../../errors/service-error.js";

/** Mistakes listed at most; the rest usually follows from them. */
const MOST_SHOWN = 5;

/** Code that cannot be compiled, with the lines where it goes wrong. */
export function compileFailure(file: string, messages: readonly Message[]): ServiceError {
  const shown = messages.slice(0, MOST_SHOWN).map(describe);
  const rest = messages.length - shown.length;
  if (rest > 0) shown.push(`… and ${rest} more`);
  return new ServiceError("WORKFLOW_LOAD_FAILED", `${file} cannot be compiled.\n${shown.join("\n")}\n`, {
    details: {
      path: file,
      issues: messages.map(({ text, location }) => ({
        message: text,
        ...(location !== null && {
          file: location.file,
          line: location.line,
          // Editors count columns from 1.
          column: location.column + 1,
        }),
      })),
    },
  });
}

/**
 *   flow.tsx:2:9: Unexpected end of file before a closing "Task" tag
 *     2 | let a = 2
 *       |          ^
 */
function describe({ text, location }: Message): string {
  if (location === null) return `  ${text}`;
  const { file, line, column, lineText } = location;
  const gutter = String(line);
  // Tabs stay tabs, so that the mark stands below its column.
  const indent = [...lineText.slice(0, column)].map((char) => (char === "\t" ? "\t" : " ")).join("");
  return [
    `  ${file}:${line}:${column + 1}: ${text}`,
    `    ${gutter} | ${lineText}`,
    `    ${" ".repeat(gutter.length)} | ${indent}^`,
  ].join("\n");
}
