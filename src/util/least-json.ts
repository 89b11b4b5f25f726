/** Levels that are looked into: a value that refers to itself is not larger, but no JSON. */
const DEEPEST = 250;

/**
 * Whether the names, lists and objects of a value alone take more bytes of JSON than that. Such a value is refused
 * before it is copied, written or searched, each of which would keep everything else of the process waiting. Texts
 * count as empty ones: they cost little. Looks at no more of the value than it takes to know.
 */
export function isSurelyLarger(value: unknown, maxBytes: number): boolean {
  return leastJson(value, maxBytes, 0) > maxBytes;
}

/** Bytes of JSON that the value has at least; counted until they are more than `most`. */
function leastJson(value: unknown, most: number, depth: number): number {
  if (typeof value === "string") return 2;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  // Objects that make their own JSON, and bytes, are no data of rows and messages.
  if (depth > DEEPEST || ArrayBuffer.isView(value) || typeof (value as ToJson).toJSON === "function")
    return 0;
  if (Array.isArray(value)) {
    // Items with the commas between them.
    let bytes = Math.max(2, value.length * 2 + 1);
    for (let at = 0; at < value.length && bytes <= most; at += 1) {
      bytes += Math.max(0, leastJson(value[at], most - bytes, depth + 1) - 1);
    }
    return bytes;
  }
  let bytes = 2;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined || typeof member === "function") continue;
    bytes += name.length + 3 + leastJson(member, most - bytes, depth + 1);
    if (bytes > most) break;
  }
  return bytes;
}

interface ToJson {
  toJSON?: unknown;
}
