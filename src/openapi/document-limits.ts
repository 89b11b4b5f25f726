/** Largest document that is read, in bytes after decompression. */
export const MOST_BYTES = 64 * 1_048_576;
/** The same for YAML, which takes ten times as long to read. */
export const MOST_YAML_BYTES = 16 * 1_048_576;
/** Largest answer to a download, in bytes before decompression. */
export const MOST_WIRE_BYTES = 32 * 1_048_576;

const MOST_MEMBERS = 5_000_000;
const DEEPEST_DOCUMENT = 5_000;

/**
 * The exceeded limit of a document, to continue "The OpenAPI document …"; undefined for one that is
 * fine. Objects that occur at several places count once, so a document may refer to itself.
 */
export function excessOf(document: object): string | undefined {
  const seen = new Set<object>([document]);
  let level: object[] = [document];
  let members = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEEPEST_DOCUMENT) return `is nested deeper than ${DEEPEST_DOCUMENT} levels`;
    const next: object[] = [];
    for (const container of level) {
      for (const member of Object.values(container)) {
        members += 1;
        if (typeof member !== "object" || member === null || seen.has(member)) continue;
        seen.add(member);
        next.push(member);
      }
      if (members > MOST_MEMBERS) return `has more than ${MOST_MEMBERS} members`;
    }
    level = next;
  }
  return undefined;
}

export function tooLarge(limit: number): string {
  return `is larger than ${limit / 1_048_576} MiB`;
}
