import { createRequire } from "node:module";
import { once } from "../../util/once.js";

const PLAIN = /^[\x20-\x7e]*$/;

/** The package that measures more than plain letters takes 30 ms to load. */
const measure = once(
  () => (createRequire(import.meta.url)("string-width") as typeof import("string-width")).default,
);

/** Columns that a text takes on a terminal. */
export function cellWidth(text: string): number {
  return PLAIN.test(text) ? text.length : measure()(text);
}
