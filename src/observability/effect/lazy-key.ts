import type { Context } from "effect";
import { loadEffect } from "./load-effect.js";

/** Members of a key that its users read; others only look at it, as a printer does. */
const USES = new Set<string | symbol>([Symbol.iterator, "of", "context", "use", "useSync", "pipe"]);

/**
 * A service key of the effect library that loads the library with the first look at
 * it. Without the library it is an empty object to look at, and says what is missing
 * when it is used.
 */
export function lazyKey<Identifier, Shape>(key: string): Context.Service<Identifier, Shape> {
  const self: object = { key };
  const nature = (name: string | symbol): object => {
    try {
      const real: object = loadEffect().Context.Service<Identifier, Shape>(key);
      const prototype = Object.getPrototypeOf(real) as object;
      // From here on it is a key as the library makes them.
      Object.setPrototypeOf(self, prototype);
      return prototype;
    } catch (error) {
      if (USES.has(name)) throw error;
      return Object.prototype;
    }
  };
  const unknown = new Proxy(Object.prototype, {
    get: (_target, name, receiver) => Reflect.get(nature(name), name, receiver) as unknown,
    has: (_target, name) => (name === Symbol.iterator ? false : Reflect.has(nature(name), name)),
  });
  return Object.setPrototypeOf(self, unknown) as Context.Service<Identifier, Shape>;
}
