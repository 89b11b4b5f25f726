/**
 * A record that shares no data with the given one: its receiver may change it.
 * A value that is no data, such as a function in the input of a preview, is shared.
 */
export function ownCopy<T extends object>(record: T): T {
  const copy = { ...record };
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== "object" || value === null) continue;
    // A member named `__proto__` is one like the others.
    const own = { value: cloned(value), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(copy, name, own);
  }
  return copy;
}

function cloned(value: object): object {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
