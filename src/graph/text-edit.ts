import { ServiceError } from "../errors/service-error.js";

/**
 * How to make one text of another: `[behind, dropped, inserted]` puts `inserted`
 * in the place of the `dropped` characters before the last `behind` ones. Counted
 * from the end, because texts of a list begin with what tells them apart: a count
 * in the labels of many tasks is then the same edit in each of them.
 */
export type TextEdit = readonly [behind: number, dropped: number, inserted: string];

/** Characters of JSON that an edit takes besides what it inserts, about. */
const EDIT_SIZE = 8;

/** The edit, or the text itself where that is shorter. */
export function editText(before: string, after: string): TextEdit | string {
  const shorter = Math.min(before.length, after.length);
  let behind = 0;
  while (
    behind < shorter &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind += 1;
  let ahead = 0;
  while (ahead < shorter - behind && before.charCodeAt(ahead) === after.charCodeAt(ahead)) ahead += 1;
  const inserted = after.slice(ahead, after.length - behind);
  if (inserted.length + EDIT_SIZE > after.length) return after;
  return [behind, before.length - ahead - behind, inserted];
}

/** @throws STORAGE_ERROR when there is nothing that the edit could be of */
export function applyTextEdit(before: string, [behind, dropped, inserted]: TextEdit): string {
  const ahead = before.length - behind - dropped;
  if (ahead >= 0) return before.slice(0, ahead) + inserted + before.slice(before.length - behind);
  throw new ServiceError("STORAGE_ERROR", "A stored change is about more characters than there are.");
}
