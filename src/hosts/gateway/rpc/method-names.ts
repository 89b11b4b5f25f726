import type { Extensions } from "../extensions.js";
import { STREAMS } from "../socket/streams.js";
import { METHODS } from "./methods.js";

/** The methods of a gateway, streams and extensions included. */
export function methodNames({ methods, streams }: Extensions): string[] {
  return [...Object.keys(METHODS), ...Object.keys(STREAMS), ...methods.keys(), ...streams.keys()].sort();
}

/** Whether it is one of `methodNames`. */
export function isMethodName({ methods, streams }: Extensions, name: string): boolean {
  return (
    Object.hasOwn(METHODS, name) || Object.hasOwn(STREAMS, name) || methods.has(name) || streams.has(name)
  );
}
