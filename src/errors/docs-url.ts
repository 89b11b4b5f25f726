import { errorCodeEntry } from "./codes.js";
import { PACKAGE_URL } from "./package-url.js";

/** Where a code is explained, within the installed library: the same on every machine. */
export function docsPathOf(code: string): string {
  const anchor = errorCodeEntry(code) === undefined ? "" : `#${code.toLowerCase()}`;
  return `docs/errors.md${anchor}`;
}

/** Where a code is explained: its anchor in the error reference of this installation. */
export function docsUrlOf(code: string): string {
  return `${PACKAGE_URL}/${docsPathOf(code)}`;
}
