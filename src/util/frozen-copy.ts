/**
 * A copy of data that cannot be changed: a change would be seen by later readers in this
 * process, and by none in the next. A value that is no data, such as a function in the input of a preview, is shared as it is.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (!isPlain(value)) return frozen(value);
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const own = frozen(member);
    // A member named `__proto__` is one like the others.
    Object.defineProperty(copy, name, { value: own, enumerable: true });
  }
  return Object.freeze(copy) as T;
}

function frozen<T>(value: T): T {
  let copy: T;
  try {
    copy = structuredClone(value);
  } catch {
    return value;
  }
  const open: unknown[] = [copy];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== "object" || each === null || Object.isFrozen(each)) continue;
    if (!Array.isArray(each) && !isPlain(each)) continue;
    Object.freeze(each);
    for (const member of Object.values(each)) if (member !== undefined) open.push(member);
  }
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Also one of another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
