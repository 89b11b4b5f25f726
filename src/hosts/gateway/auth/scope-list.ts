/** Scopes as tokens and proxies write them: a list, or a text separated by spaces or commas. Anything else grants nothing. */
export function scopesIn(value: unknown): string[] {
  const parts = typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  return parts.filter((part): part is string => typeof part === "string" && part !== "");
}
