import type { Context } from "effect";
import { loadEffect } from "./load-effect.js";

/** What those ask for who print a value, or await it: they want no library. */
const ASKED_BY_LOOKERS = new Set<string | symbol>([
  Symbol.for("nodejs.util.inspect.custom"),
  Symbol.toStringTag,
  "constructor",
  "then",
  "toJSON",
]);

/** A service key of the effect library that loads the library with the first look at it. */
export function lazyKey<Identifier, Shape>(key: string): Context.Service<Identifier, Shape> {
  const self: object = { key };
  const nature = (): object => {
    const real: object = loadEffect().Context.Service<Identifier, Shape>(key);
    const prototype = Object.getPrototypeOf(real) as object;
    // From here on it is a key as the library makes them.
    Object.setPrototypeOf(self, prototype);
    return prototype;
  };
  const unknown = new Proxy(Object.prototype, {
    get: (target, name, receiver) =>
      Reflect.get(ASKED_BY_LOOKERS.has(name) ? target : nature(), name, receiver) as unknown,
    has: (_target, name) => Reflect.has(nature(), name),
  });
  return Object.setPrototypeOf(self, unknown) as Context.Service<Identifier, Shape>;
}
