/** Small words of the generated documents. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const text = (more: Record<string, unknown> = {}) => ({ type: "string", ...more });
export const whole = (more: Record<string, unknown> = {}) => ({ type: "integer", ...more });
export const listOf = (items: unknown) => ({ type: "array", items });
export const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
export const jsonBody = (schema: unknown, mediaType = "application/json") => ({
  required: true,
  content: { [mediaType]: { schema } },
});
export const answer = (schema: unknown) => ({
  "200": { description: "OK", content: { "application/json": { schema } } },
});

export function range<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

export function record<T>(count: number, make: (n: number) => [string, T]): Record<string, T> {
  return Object.fromEntries(range(count, make));
}
