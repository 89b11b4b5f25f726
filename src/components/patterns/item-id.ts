import { sha256Hex } from "../../util/hash.js";

/** As long as the id of a task may be. */
const LONGEST_ID = 256;

/** Hexadecimal digits that tell shortened ids apart. */
const DIGITS = 16;

/**
 * The id of a part that belongs to something from data: `itemId("board", "todo", ticket.id)`. Any text becomes
 * a legal id; different parts become different ids, the same ones always the same.
 *
 * Letters, digits, `_`, `.` and `-` stay; anything else is `:` with two hexadecimal digits, or `:u` with four.
 * Of several parts, all but the last one escape `-` as well, so that it is known where one ends. An id that would be
 * longer than 256 characters is cut, with `:h` and a hash of the whole.
 */
export function itemId(prefix: string, ...parts: readonly string[]): string {
  const text = parts
    .map((part, index) => escaped(part, index < parts.length - 1 ? /[^\w.]/g : /[^\w.-]/g))
    .join("-");
  const room = LONGEST_ID - prefix.length - 1;
  if (text.length <= room) return `${prefix}-${text}`;
  const mark = `:h${sha256Hex(text).slice(0, DIGITS)}`;
  return `${prefix}-${text.slice(0, Math.max(0, room - mark.length))}${mark}`;
}

/** A lone `:` for nothing at all, which nothing else becomes. */
function escaped(part: string, special: RegExp): string {
  return part === "" ? ":" : part.replace(special, escapedUnit);
}

function escapedUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return code < 0x80 ? `:${hex(code, 2)}` : `:u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
