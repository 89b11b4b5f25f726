import type { Extensions } from "../extensions.js";
import { STREAMS } from "../socket/streams.js";
import { METHODS } from "./methods.js";

/** The methods of a gateway, streams and extensions included. */
export function methodNames({ methods, streams }: Extensions): string[] {
  return [...Object.keys(METHODS), ...Object.keys(STREAMS), ...methods.keys(), ...streams.keys()].sort();
}
