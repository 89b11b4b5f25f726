import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { SqlValue } from "../sql-port.js";
import { type Column, Mismatch, text } from "./column.js";

/** Shorter ones are kept as they are: they fit a page of the database, and people can read them there. */
const SHORTEST = 4_096;
/** Begins a text that is kept deflated, in base64. */
const DEFLATED = "deflate:";

/** A text that repeats itself and may be long, such as JSON: one that is long is kept deflated. It never begins with `deflate:`. */
export function longText(name: string): Column<string> {
  const plain = text(name);
  return {
    ...plain,
    write(value) {
      if (value.length < SHORTEST) return value;
      return `${DEFLATED}${deflateRawSync(value, { level: 1 }).toString("base64")}`;
    },
    read(value: SqlValue) {
      const kept = plain.read(value);
      return kept.startsWith(DEFLATED) ? inflated(kept.slice(DEFLATED.length)) : kept;
    },
  };
}

function inflated(base64: string): string {
  try {
    return inflateRawSync(Buffer.from(base64, "base64")).toString("utf8");
  } catch {
    throw new Mismatch("holds text that was deflated and is damaged");
  }
}
