import type { SpecParameter } from "./parameters.js";

/** The parts of a parameter that serialisation depends on. */
export type Serialisation = Pick<SpecParameter, "name" | "style" | "explode" | "allowReserved" | "asJson">;

/** One `name=value` of a query, the text ready for a URL. */
export interface QueryPair {
  /** Not encoded. */
  readonly name: string;
  readonly text: string;
}

/** The expansion of a path parameter: `5`, `.5`, `;id=5`. */
export function serializePath(parameter: Serialisation, value: unknown): string {
  const name = encode(parameter.name);
  const { style, explode } = parameter;
  if (parameter.asJson) return encode(JSON.stringify(value));
  const members = membersOf(value);
  if (members === undefined) {
    const text = encode(scalarText(value));
    return style === "label" ? `.${text}` : style === "matrix" ? `;${name}=${text}` : text;
  }
  const list = members.map(
    ([key, member]) => [key === undefined ? undefined : encode(key), encode(member)] as const,
  );
  const joined = list.map(([key, text]) =>
    key === undefined ? text : explode ? `${key}=${text}` : `${key},${text}`,
  );
  if (style === "label") return `.${joined.join(explode ? "." : ",")}`;
  if (style !== "matrix") return joined.join(",");
  if (!explode) return `;${name}=${joined.join(",")}`;
  return list.map(([key, text]) => `;${key ?? name}=${text}`).join("");
}

/** The text of a header. */
export function serializeHeader(parameter: Serialisation, value: unknown): string {
  if (parameter.asJson) return JSON.stringify(value);
  const members = membersOf(value);
  if (members === undefined) return scalarText(value);
  return members
    .map(([key, text]) =>
      key === undefined ? text : parameter.explode ? `${key}=${text}` : `${key},${text}`,
    )
    .join(",");
}

/** The pairs of a query parameter; none for null, undefined and an empty list or object. */
export function serializeQuery(parameter: Serialisation, value: unknown): QueryPair[] {
  if (value === null || value === undefined) return [];
  const encoded = (text: string) => (parameter.allowReserved ? encodeUnreserved(text) : encode(text));
  const pair = (name: string, text: string): QueryPair => ({ name, text: `${encode(name)}=${text}` });
  const { name, style, explode } = parameter;
  if (parameter.asJson) return [pair(name, encoded(JSON.stringify(value)))];
  const members = membersOf(value);
  if (members === undefined) return [pair(name, encoded(scalarText(value)))];
  if (members.length === 0) return [];
  if (style === "deepObject") return deepPairs(name, value, (key, text) => pair(key, encoded(text)));
  if (explode) return members.map(([key, text]) => pair(key ?? name, encoded(text)));
  const texts = members.flatMap(([key, text]) => (key === undefined ? [text] : [key, text]));
  return [pair(name, texts.map(encoded).join(DELIMITERS[style] ?? ","))];
}

const DELIMITERS: Partial<Record<SpecParameter["style"], string>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/**
 * `filter[color]=red`. OpenAPI defines one level only; deeper objects continue in
 * brackets and lists repeat `[]`, as most servers read them.
 */
function deepPairs(
  name: string,
  value: unknown,
  pair: (name: string, text: string) => QueryPair,
): QueryPair[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(`${name}[]`, item, pair));
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, pair));
  }
  return [pair(name, scalarText(value))];
}

/** Items of a list, without a key, or members of an object; undefined for a scalar. Nulls are left out. */
function membersOf(value: unknown): [key: string | undefined, text: string][] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries: [string | undefined, unknown][] = Array.isArray(value)
    ? value.map((item) => [undefined, item])
    : Object.entries(value);
  return entries
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([key, member]) => [key, scalarText(member)]);
}

/** Styles know one level of nesting; what lies deeper travels as JSON. */
function scalarText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Percent-encodes everything but unreserved characters; half a surrogate pair becomes U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD")).replace(/[!'()*]/g, percent);
}

/**
 * Leaves reserved characters and percent-encoded triples alone, except those
 * that would end the value, the query or the URL: a value stays one value.
 */
function encodeUnreserved(text: string): string {
  return encode(text).replace(
    /%25([0-9A-Fa-f]{2})|%(?:3A|2F|3F|40|21|24|28|29|2A|2C|3B|3D)/g,
    (match, triple) => (triple === undefined ? decodeURIComponent(match) : `%${triple}`),
  );
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
