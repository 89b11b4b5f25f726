import { exitCodeOfError } from "../exit-codes.js";
import type { Terminal } from "../terminal.js";
import type { DocumentWriter } from "./document-writer.js";
import { errorDocument, errorText, toServiceError } from "./error-report.js";

export interface ErrorReportOptions {
  terminal: Terminal;
  /** Absent: text for people. */
  documents: DocumentWriter | undefined;
  /** Whether it is one of several documents. @default false */
  isStreaming?: boolean;
  /** A command line as this call has to type it. */
  commandText(command: string): string;
}

/** Reports what ended a command and returns the exit code for it. */
export function reportError(
  thrown: unknown,
  { terminal, documents, isStreaming = false, commandText }: ErrorReportOptions,
): number {
  const showStack = (terminal.environment.SERVICE_DEBUG ?? "") !== "";
  if (documents !== undefined) {
    terminal.out.line(documents[isStreaming ? "streamedWhole" : "whole"](errorDocument(thrown)));
  } else terminal.err.line(errorText(thrown, { colors: terminal.err.colors, showStack, commandText }));
  return exitCodeOfError(toServiceError(thrown).code);
}
