import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import { frameBelow, placeFrame, placeText, sourcePlaces, type SourcePlace } from "./source-place.js";

interface FailedImport {
  /** The workflow file as messages name it. */
  shown: string;
  cwd: string;
  /** Absolute paths of the user's files in the module. */
  modules: readonly string[];
}

/**
 * The error of a workflow module while it ran, from the author's point of
 * view. An error of the library keeps its code and gains the place.
 */
export function importFailure(thrown: unknown, { shown, cwd, modules }: FailedImport): ServiceError {
  const missing = missingExport(thrown);
  const place = missing === undefined ? sourcePlaces(thrown, cwd)[0] : importPlace(missing, { cwd, modules });
  const where = place === undefined ? shown : placeText(place);
  const frame = place === undefined ? "" : frameBelow(placeFrame(place, cwd));
  const details = { path: shown, ...(place !== undefined && { at: placeText(place) }) };
  if (ServiceError.is(thrown)) {
    return new ServiceError(thrown.code, `${where}: ${thrown.summary}${frame}`, {
      details: { ...thrown.details, ...details },
      cause: thrown,
    });
  }
  const error = ensureError(thrown);
  const reason =
    missing === undefined
      ? `${error.name}: ${error.message.replace(/\.$/, "")} (${where})`
      : `${missing.from} does not export ${missing.name} (${where})`;
  return new ServiceError("WORKFLOW_LOAD_FAILED", `${shown} failed while it was loaded: ${reason}.${frame}`, {
    details,
    cause: error,
  });
}

interface MissingExport {
  /** Package. */
  from: string;
  name: string;
}

function missingExport(thrown: unknown): MissingExport | undefined {
  if (!(thrown instanceof SyntaxError)) return undefined;
  const found = /requested module '([^']+)' does not provide an export named '([^']+)'/.exec(thrown.message);
  if (found === null) return undefined;
  return { from: packageOf(found[1] as string), name: found[2] as string };
}

/** `zod` of `file:///…/node_modules/zod/index.js`. */
function packageOf(specifier: string): string {
  const inside = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1];
  return inside ?? (specifier.startsWith("file:") ? "treadle" : specifier);
}

/** Where the name is imported: modules are joined before one runs, so no stack tells. */
function importPlace(
  { from, name }: MissingExport,
  { cwd, modules }: Pick<FailedImport, "cwd" | "modules">,
): SourcePlace | undefined {
  const [pack, word] = [from, name].map((text) => text.replaceAll(/[^\w/@-]/g, "\\$&"));
  const statement = new RegExp(
    `\\b(?:import|export)\\b([^;'"]*?(?<![\\w$]))${word}(?![\\w$])[^;'"]*?\\bfrom\\s*["']${pack}(?:/[^"']*)?["']`,
  );
  for (const path of modules) {
    const text = readFileSync(path, "utf8");
    const found = statement.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index + "import".length + (found[1] as string).length);
    const lines = before.split("\n");
    return { file: relative(cwd, path), line: lines.length, column: (lines.at(-1) as string).length + 1 };
  }
  return undefined;
}
