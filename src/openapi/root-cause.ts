/**
 * The innermost cause of an error: `fetch failed` is true of every
 * network error, the innermost cause names the one at hand.
 */
export function rootCauseText(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  let current: object = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const { cause, errors } = current as { cause?: unknown; errors?: unknown };
    // A connection that was tried on several addresses fails with all of them.
    const inner = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
    if (typeof inner !== "object" || inner === null) break;
    current = inner;
  }
  const { message, code, name } = current as { message?: unknown; code?: unknown; name?: unknown };
  const text = typeof message === "string" && message !== "" ? message : String(code ?? name ?? current);
  return text.replace(/\.$/, "");
}
