import { createRequire } from "node:module";
import { dirname } from "node:path";
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

/** The message of a hook's call when no render is known to its React. */
const HOOK_WITHOUT_RENDER = /^Cannot read properties of null \(reading '(use\w*)'\)$/;
/** React's number for an element that was made by a React of another major version. */
const ELEMENT_OF_ANOTHER_VERSION = /^Minified React error #525;/;

/** Which part of a workflow is of another React than the library's. */
export interface OtherReact {
  /** Such as `useState`; undefined for an element. */
  hook?: string;
  /** Folders of the library's React and of the other one, where both are known: a bundle has none. */
  copies?: [own: string, other: string];
}

/** The other React that a render failed of; undefined for failures of another cause. */
export function otherReact({ message, stack = "" }: Error): OtherReact | undefined {
  if (ELEMENT_OF_ANOTHER_VERSION.test(message)) return {};
  const hook = HOOK_WITHOUT_RENDER.exec(message)?.[1];
  if (hook === undefined) return undefined;
  // The innermost frame is that of the hook itself.
  const other = /^\s+at .*?\(?((?:[A-Za-z]:)?[\\/][^():]*)[\\/]cjs[\\/]react\.\w+\.js:/m.exec(stack)?.[1];
  const own = ownFolder();
  if (other === undefined || own === undefined) return { hook };
  return other === own ? undefined : { hook, copies: [own, other] };
}

/** Whether a hook was called while nothing was rendered, such as in an effect. */
export function isHookWithoutRender(message: string): boolean {
  return HOOK_WITHOUT_RENDER.test(message);
}

function ownFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("react"));
  } catch {
    return undefined;
  }
}
