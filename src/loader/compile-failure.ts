import type { Location, Message } from "esbuild";
import { ServiceError } from "../errors/service-error.js";
import { placeFrame, placeText, type SourcePlace } from "./source-place.js";
import type { SourceFile } from "./source-plugin.js";

/** Mistakes listed at most; the rest usually follows from them. */
const MOST_SHOWN = 5;

/** The compiled file that the messages are about. */
interface Compiled {
  /** The folder that messages name files relative to. */
  cwd: string;
  /** Files that were given to the compiler changed. @default none: it read them itself */
  sources?: readonly SourceFile[];
}

/**
 * Code that cannot be compiled, with the lines where it goes wrong.
 * @param file what was compiled, as messages name it
 */
export function compileFailure(
  file: string,
  messages: readonly Message[],
  { cwd, sources = [] }: Compiled,
): ServiceError {
  const prefixes = sources.map(({ prefix }) => prefix);
  const issues = messages.map(({ text, location }) => ({
    message: renameHint(text, location) ?? text,
    place: location === null ? undefined : placeOf(location, prefixes),
  }));
  const shown = issues.slice(0, MOST_SHOWN).map(({ message, place }) => excerpt(message, place, cwd));
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
function placeOf(
  { file, line, column, lineText }: Location,
  prefixes: readonly string[],
): Required<SourcePlace> {
  const characters = Buffer.from(lineText, "utf8").subarray(0, column).toString("utf8").length;
  const prefix = line === 1 ? (prefixes.find((text) => text !== "" && lineText.startsWith(text)) ?? "") : "";
  return {
    file,
    line,
    column: Math.max(0, characters - prefix.length) + 1,
  };
}

/**
 * flow.tsx:2:9: Unexpected end of file before a closing "Task" tag
 *   1 | let b = 1
 * > 2 | let a = 2
 *     |         ^
 */
function excerpt(message: string, place: SourcePlace | undefined, cwd: string): string {
  if (place === undefined) return message;
  const frame = placeFrame(place, cwd);
  return [`${placeText(place)}: ${message}`, ...(frame === "" ? [] : [frame])].join("\n");
}
