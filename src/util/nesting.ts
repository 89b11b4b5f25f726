/** Deepest nesting of objects and lists in what a model hands to a tool. */
export const DEEPEST_INPUT = 64;

/** Whether objects and lists stand within one another deeper than `limit`. Takes no stack, however deep they are. */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    // An object that occurs twice on one level is looked into once, so that sharing cannot multiply.
    const next = new Set<object>();
    for (const container of level) {
      for (const member of Object.values(container)) if (isContainer(member)) next.add(member);
    }
    level = [...next];
  }
  return false;
}

/** A value with members that are values themselves. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}
