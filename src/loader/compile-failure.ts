import type { Location, Message } from "esbuild";
import { ServiceError } from "../errors/service-error.js";

/** Mistakes listed at most; the rest usually follows from them. */
const MOST_SHOWN = 5;

interface Place {
  file: string;
  /** From 1, both. */
  line: number;
  column: number;
  lineText: string;
}

/**
 * Code that cannot be compiled, with the lines where it goes wrong.
 * @param prefixes what the loader put in front of first lines
 */
export function compileFailure(
  file: string,
  messages: readonly Message[],
  prefixes: readonly string[],
): ServiceError {
  const issues = messages.map(({ text, location }) => ({
    message: renameHint(text, location) ?? text,
    place: location === null ? undefined : placeOf(location, prefixes),
  }));
  const shown = issues.slice(0, MOST_SHOWN).map(({ message, place }) => excerpt(message, place));
  const rest = issues.length - shown.length;
  if (rest > 0) shown.push(`… and ${rest} more`);
  return new ServiceError("WORKFLOW_LOAD_FAILED", `${file} cannot be compiled.\n${shown.join("\n")}\n`, {
    details: {
      path: file,
      issues: issues.map(({ message, place }) => ({
        message,
        ...(place !== undefined && { file: place.file, line: place.line, column: place.column }),
      })),
    },
  });
}

/** JSX is read in files that say by their ending that they hold it. */
function renameHint(text: string, location: Location | null): string | undefined {
  const [, ending] = /(\.[cm]?([jt])s)$/.exec(location?.file ?? "") ?? [];
  if (location === null || ending === undefined) return undefined;
  const isJs = text.startsWith("The JSX syntax extension is not currently enabled");
  // In TypeScript a tag is read as a type in front of a value.
  const isTs =
    ending.endsWith("ts") && /^Expected ">" but found/.test(text) && /<[A-Za-z]/.test(location.lineText);
  if (!isJs && !isTs) return undefined;
  return `JSX in a ${ending} file: rename it to ${isTs ? ".tsx" : ".jsx or .tsx"}`;
}

/** The place as the author's editor counts it: characters, from 1, without the loader's prefix. */
function placeOf({ file, line, column, lineText }: Location, prefixes: readonly string[]): Place {
  const characters = Buffer.from(lineText, "utf8").subarray(0, column).toString("utf8").length;
  const prefix = line === 1 ? (prefixes.find((text) => text !== "" && lineText.startsWith(text)) ?? "") : "";
  return {
    file,
    line,
    column: Math.max(0, characters - prefix.length) + 1,
    lineText: lineText.slice(prefix.length),
  };
}

/**
 *   flow.tsx:2:9: Unexpected end of file before a closing "Task" tag
 *     2 | let a = 2
 *       |         ^
 */
function excerpt(message: string, place: Place | undefined): string {
  if (place === undefined) return `  ${message}`;
  const { file, line, column, lineText } = place;
  const gutter = String(line);
  // Tabs stay tabs, so that the mark stands below its column.
  const indent = [...lineText.slice(0, column - 1)].map((char) => (char === "\t" ? "\t" : " ")).join("");
  return [
    `  ${file}:${line}:${column}: ${message}`,
    `    ${gutter} | ${lineText}`,
    `    ${" ".repeat(gutter.length)} | ${indent}^`,
  ].join("\n");
}
