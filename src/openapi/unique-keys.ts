import type { Document, Node } from "yaml";

/**
 * The second of two equal keys in one map of a YAML document. The parser's own search compares each
 * key with every other one: twenty thousand of them take it twelve seconds.
 */
export function duplicateKey(
  document: Document,
  { isMap, isScalar, isSeq }: Pick<typeof import("yaml"), "isMap" | "isScalar" | "isSeq">,
): { key: string; offset: number } | undefined {
  const pending: unknown[] = [document.contents];
  while (pending.length > 0) {
    const node = pending.pop();
    if (isSeq(node)) for (const item of node.items) pending.push(item);
    if (!isMap(node)) continue;
    const names = new Set<unknown>();
    for (const { key, value } of node.items) {
      pending.push(key, value);
      // Two maps may both be merged into one.
      if (!isScalar(key) || key.value === "<<") continue;
      if (names.has(key.value)) return { key: String(key.value), offset: (key as Node).range?.[0] ?? 0 };
      names.add(key.value);
    }
  }
  return undefined;
}
