import { errorCodeEntry } from "./codes.js";
import { PACKAGE_URL } from "./package-url.js";

/** The error reference that is installed with the library. */
const DOCS_URL = `${PACKAGE_URL}/docs/errors.md`;

/** Where a code is explained: its anchor in the error reference of this installation. */
export function docsUrlOf(code: string): string {
  return errorCodeEntry(code) === undefined ? DOCS_URL : `${DOCS_URL}#${code.toLowerCase()}`;
}
