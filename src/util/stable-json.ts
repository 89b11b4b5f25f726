/**
 * JSON with object keys in code-unit order, so that equal values give equal
 * text. `undefined` members are dropped, as in JSON.stringify; bigints, which rows
 * may hold, are objects with their digits.
 */
export function stableJson(value: unknown): string {
  return JSON.stringify(sortKeys(value)) ?? "null";
}

function sortKeys(value: unknown): unknown {
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value === null || typeof value !== "object") return value;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return sortKeys(toJSON.call(value));
  if (Array.isArray(value)) return value.map(sortKeys);
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    sorted[key] = sortKeys((value as Record<string, unknown>)[key]);
  }
  return sorted;
}
