/**
 * Places that a run has for its events, and for its frames; a database has them for some sixty million runs. A place
 * is one number, made of that of the run and that of the row: SQLite fills the pages of a table of such a key one after
 * the other, while a tree with a longer key is balanced again and again at its end, where these rows are written.
 */
export const PLACES_OF_RUN = 2 ** 27;

export function placeOf(runNo: number, no: number): number {
  return runNo * PLACES_OF_RUN + no;
}

/** A number that a caller gives, kept between the places of the run before and of the one after it. */
export function boundOf(no: number): number {
  return Math.min(Math.max(no, -1), PLACES_OF_RUN);
}
