import { utf8Length } from "./bounded-text.js";
import { isTooManyMembers } from "./json-members.js";
import { memberPath } from "./value-path.js";

export interface MemberSize {
  /** Such as `pages[3].html`; empty when no member of the value stands out. */
  path: string;
  /** Bytes of JSON. */
  size: number;
}

/**
 * Where most of a JSON value is: for messages about values that are too large. One of very many members is not looked
 * into, as that takes seconds.
 *
 * @param field name of the member that the value is, if it is one
 */
export function largestMember(json: string, field?: string): MemberSize {
  let size = utf8Length(json);
  if (isTooManyMembers(json)) return { path: field ?? "", size };
  const own: unknown = JSON.parse(json);
  const value = field === undefined ? own : { [field]: own };
  let path = "";
  size = sizeOf(value);
  for (let rest: unknown = value; typeof rest === "object" && rest !== null; ) {
    const isList = Array.isArray(rest);
    let largest: { key: string; member: unknown; size: number } | undefined;
    for (const [key, member] of Object.entries(rest)) {
      const own = sizeOf(member);
      if (largest === undefined || own > largest.size) largest = { key, member, size: own };
    }
    if (largest === undefined || largest.size * 2 < size) break;
    path = memberPath(path, isList ? Number(largest.key) : largest.key);
    ({ member: rest, size } = largest);
  }
  return { path, size };
}

function sizeOf(value: unknown): number {
  return utf8Length(JSON.stringify(value) ?? "");
}

/** A sentence that follows the one about the whole value; empty when no member stands out. */
export function tellLargest({ path, size }: MemberSize): string {
  return path === "" ? "" : ` Most of it is in "${path}": ${size} bytes.`;
}
