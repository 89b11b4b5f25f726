/** Where a value is inside another one: names of members, and places in lists. */
export type JsonPath = readonly (string | number)[];

/** `.name` (the first one also without the point), `[0]`, `['any name']`, `["any name"]`. */
const STEP = /\.?([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]/y;

/**
 * Reads a path such as `$.order.lines[0]['unit price']`; `$` is the whole value.
 * Undefined for what is no path: there are no wildcards, filters or expressions.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const path: (string | number)[] = [];
  const hasRoot = text.startsWith("$");
  let at = hasRoot ? 1 : 0;
  while (at < text.length) {
    // Only the first name may stand without a point, where no `$` stands before it.
    const needsMark = hasRoot || at > 0;
    if (needsMark && text[at] !== "." && text[at] !== "[") return undefined;
    STEP.lastIndex = at;
    const step = STEP.exec(text);
    if (step === null) return undefined;
    const [whole, name, index, single, double] = step;
    path.push(index === undefined ? (name ?? unescaped(single ?? double ?? "")) : Number(index));
    at += whole.length;
  }
  return path;
}

/** The value there; undefined when there is none. Only what a value has itself counts. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    if (Array.isArray(found) !== (typeof step === "number")) return undefined;
    if (!Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

function unescaped(text: string): string {
  return text.replace(/\\(['"\\])/g, "$1");
}
