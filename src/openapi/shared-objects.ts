/**
 * Objects that are reachable at more than one place of a document: YAML
 * aliases, and references that were replaced by their targets. They are
 * treated like `$ref` targets, which keeps cyclic documents finite and widely
 * shared ones small.
 */
export function sharedObjects(document: object): ReadonlySet<object> {
  const seen = new Set<object>();
  const shared = new Set<object>();
  const pending: object[] = [document];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (seen.has(current)) {
      shared.add(current);
      continue;
    }
    seen.add(current);
    for (const value of Object.values(current)) {
      if (typeof value === "object" && value !== null) pending.push(value);
    }
  }
  return shared;
}
