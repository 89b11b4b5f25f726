import * as React from "react";
import { ServiceError } from "../errors/service-error.js";

/** The versions that react-reconciler 0.34 belongs to, as `peerDependencies` says them. */
const SUPPORTED = { major: 19, minor: 3 };

/** @throws REACT_UNSUPPORTED for a React that the reconciler does not belong to */
export function checkReact(version: string = React.version): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === SUPPORTED.major && minor >= SUPPORTED.minor) return;
  throw new ServiceError(
    "REACT_UNSUPPORTED",
    `treadle renders with React ^${SUPPORTED.major}.${SUPPORTED.minor}.0; the one that is installed is ${version}.`,
    { details: { version } },
  );
}

/** What a call of a hook says when no render is known to its React: that of another copy is under way. */
const HOOK_OF_ANOTHER_COPY = /^Cannot read properties of null \(reading 'use\w*'\)$/;
/** React's number for an element that was made by a React of another major version. */
const ELEMENT_OF_ANOTHER_VERSION = /^Minified React error #525;/;

/** Whether a render failed because the workflow uses a React of its own. */
export function isOtherReact(error: Error): boolean {
  return HOOK_OF_ANOTHER_COPY.test(error.message) || ELEMENT_OF_ANOTHER_VERSION.test(error.message);
}
