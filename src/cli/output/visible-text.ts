import { hiddenName, replaceHidden } from "../../util/hidden-characters.js";
import { outsideStyles } from "./styles.js";

/**
 * Text as it may reach a terminal: escape sequences, bidi overrides, zero-width characters and lone
 * surrogates become readable names such as `\x1b`. Line breaks, tabs and own styles stay.
 */
export function visibleText(text: string): string {
  return outsideStyles(text, (plain) => replaceHidden(plain.replaceAll("\r\n", "\n"), hiddenName));
}

/** The same on one line: what it holds cannot look like a line of its own. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\\n").replaceAll("\t", " ");
}
