/** A record that shares no object with the given one: whoever gets it may change it. */
export function ownCopy<T extends Readonly<Record<string, unknown>>>(record: T): T {
  const copy = { ...record };
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== "object" || value === null) continue;
    // A member named `__proto__` is one like the others.
    const own = { value: structuredClone(value), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(copy, name, own);
  }
  return copy;
}
