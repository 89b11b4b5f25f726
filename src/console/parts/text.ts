import { hiddenName, replaceHidden } from "../../util/hidden-characters.js";

/** Text that others have written: invisible characters, or that turn text around, get names. */
export function shown(text: string): string {
  return replaceHidden(text, hiddenName);
}

/** Its beginning, where it is only to be recognized. */
export function shownShort(text: string, length = 160): string {
  return text.length > length ? `${shown(text.slice(0, length))}…` : shown(text);
}
