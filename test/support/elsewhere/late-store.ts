import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { Store } from "../../../src/store/contract.js";

/** What the contract has without `Awaitable`, and what only SQLite's own store has. */
const AT_ONCE: ReadonlySet<PropertyKey> = new Set([
  "beatWhileBlocked",
  "codec",
  "declareOutputs",
  "onChange",
  "onIntent",
  "tableName",
  "validateInput",
]);

/** Records that hang on the store. */
const PARTS: ReadonlySet<PropertyKey> = new Set(["deliveries", "limits", "memory", "schedules"]);

const lateOnes = new WeakMap<object, object>();

/** The store as one of a database elsewhere: no call does anything, or answers, within the turn that makes it. */
export function lateStore(store: Store): Store {
  return late(store);
}

function late<T extends object>(inner: T): T {
  const known = lateOnes.get(inner);
  if (known !== undefined) return known as T;
  const methods = new Map<PropertyKey, unknown>();
  const proxy = new Proxy(inner, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === "outputAtOnce") return undefined;
      if (PARTS.has(property)) return late(value as object);
      if (typeof value !== "function" || property === "constructor") return value;
      const method = methods.get(property) ?? lateMethod(target, property, value as Method);
      methods.set(property, method);
      return method;
    },
    // A test that replaces a method is called in its place.
    set(target, property, value) {
      methods.delete(property);
      return Reflect.set(target, property, value);
    },
    defineProperty(target, property, value) {
      methods.delete(property);
      return Reflect.defineProperty(target, property, value);
    },
  });
  lateOnes.set(inner, proxy);
  lateOnes.set(proxy, proxy);
  return proxy;
}

type Method = (...args: unknown[]) => unknown;

function lateMethod(target: object, property: PropertyKey, value: Method): Method {
  if (AT_ONCE.has(property)) return (...args) => value.apply(target, args);
  return async (...args) => {
    await turnOfLoop();
    return value.apply(target, args);
  };
}
