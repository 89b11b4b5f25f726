import { fileURLToPath } from "node:url";
import { errorCodeEntry } from "../../errors/codes.js";
import { ensureError } from "../../errors/ensure-error.js";
import { PACKAGE_URL } from "../../errors/package-url.js";
import { ServiceError } from "../../errors/service-error.js";
import type { Remedy } from "../../model/remedy.js";
import { remedyOf, remedyCommand } from "../../operations/index.js";
import { elementPlace, placeFrame, placeText, sourcePlaces } from "../../loader/source-place.js";
import { pasteable } from "./pasteable.js";
import type { Colors } from "./styles.js";
import { visibleText } from "./visible-text.js";

/** The document of `--json` for an error. */
export interface ErrorDocument {
  ok: false;
  error: {
    code: string;
    summary: string;
    message: string;
    docsUrl: string;
    details: Record<string, unknown>;
    /** Absent where only the text says what to do. */
    remedy?: Remedy;
  };
}

export function errorDocument(thrown: unknown): ErrorDocument {
  const { code, summary, message, docsUrl, details = {} } = toServiceError(thrown);
  const remedy = remedyOf({ code, details });
  return {
    ok: false,
    error: { code, summary, message, docsUrl, details, ...(remedy !== null && { remedy }) },
  };
}

export interface ErrorTextOptions {
  colors: Colors;
  showStack: boolean;
  /** A command line as this call has to type it. */
  commandText(command: string): string;
}

/** An error for people: what happened, where in their files, what to do, where to read on. */
export function errorText(thrown: unknown, options: ErrorTextOptions): string {
  const { colors, showStack, commandText } = options;
  const error = toServiceError(thrown);
  const next = errorCodeEntry(error.code)?.next;
  const lines = [
    `${colors.red("error")} ${colors.bold(error.code)} ${underneath(pasteable(error.summary, commandText))}`,
  ];
  const label = (name: string, text: string) =>
    lines.push(`  ${colors.dim(name.padEnd(5))} ${underneath(text)}`);
  const cause = causeText(error);
  if (cause !== undefined && !error.summary.includes(cause)) label("cause", cause);
  const place = elementPlace(error) ?? sourcePlaces(error)[0];
  if (place !== undefined) {
    if (!error.summary.includes(placeText(place))) label("at", placeText(place));
    const frame = placeFrame(place, process.cwd());
    // Errors of loading bring their lines along.
    if (frame !== "" && !error.summary.includes(markedLine(frame)))
      lines.push(underneath(`\n${frame}`).slice(1));
  }
  if (next !== undefined) label("next", pasteable(next, commandText));
  const remedy = remedyOf(error);
  // The folder to trust may be one of a gateway's machine.
  if (remedy !== null && remedy.action !== "trust")
    label("fix", colors.cyan(commandText(remedyCommand(remedy))));
  const help =
    errorCodeEntry(error.code) === undefined ? "" : `${commandText(`treadle help errors ${error.code}`)}  `;
  label("docs", `${help}${error.docsUrl}`);
  if (showStack && ensureError(thrown).stack !== undefined) {
    lines.push(colors.dim(ensureError(thrown).stack as string));
  }
  return lines.join("\n");
}

/** Further lines of a text are indented, so that none looks like a line of the report. */
function underneath(text: string): string {
  return visibleText(text.trimEnd()).replaceAll("\n", `\n${" ".repeat(8)}`);
}

/** `> 5 | throw new TypeError("no such thing");` */
function markedLine(frame: string): string {
  return frame.split("\n").find((line) => line.startsWith(">")) ?? frame;
}

export function toServiceError(thrown: unknown): ServiceError {
  if (ServiceError.is(thrown)) return thrown;
  const error = ensureError(thrown);
  const name = missingPackage(error);
  if (name !== undefined) {
    return new ServiceError("PACKAGE_MISSING", `treadle needs the package ${name}, which is not installed.`, {
      details: { package: name },
      cause: error,
    });
  }
  return new ServiceError("INTERNAL_ERROR", `${error.name}: ${error.message}`, { cause: error });
}

/** The package that a module of this installation imports in vain; Node has no member for either. */
function missingPackage(error: Error): string | undefined {
  if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") return undefined;
  const [, name, importer = ""] =
    /^Cannot find package '([^']+)' imported from (.+)$/.exec(error.message) ?? [];
  return importer.startsWith(fileURLToPath(PACKAGE_URL)) ? name : undefined;
}

/** The root of the chain of causes: wrappers only repeat it. */
function causeText(error: Error): string | undefined {
  let root: unknown = error.cause;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  if (root === undefined) return undefined;
  if (ServiceError.is(root)) return root.summary;
  return root instanceof Error ? root.message : String(root);
}
