import { errorCodeEntry } from "./codes.js";

/** The folder of this installation, from the place of this file in its sources or in what is built of them. */
const PACKAGE_URL = import.meta.url.replace(/\/src\/(?!.*\/src\/).*$/, "").replace(/\/dist$/, "");

/** The error reference that is installed with the library. */
const DOCS_URL = `${PACKAGE_URL}/docs/errors.md`;

/** Where a code is explained: its anchor in the error reference of this installation. */
export function docsUrlOf(code: string): string {
  return errorCodeEntry(code) === undefined ? DOCS_URL : `${DOCS_URL}#${code.toLowerCase()}`;
}
