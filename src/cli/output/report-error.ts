import { exitCodeOfError } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import { jsonText } from "./json-text.js";
import { errorDocument, errorText, toServiceError } from "./error-report.js";

/** Reports what ended a command and returns the exit code for it. */
export function reportError(thrown: unknown, options: { terminal: Terminal; json: boolean }): number {
  const { terminal, json } = options;
  const showStack = (terminal.environment.SERVICE_DEBUG ?? "") !== "";
  if (json) terminal.out.line(jsonText(errorDocument(thrown)));
  else terminal.err.line(errorText(thrown, { colors: terminal.err.colors, showStack }));
  return exitCodeOfError(toServiceError(thrown).code);
}
