/** Further than this from 1970 a `Date` cannot be, in milliseconds. */
const FURTHEST_MS = 8.64e15;

/** ISO 8601 text of epoch milliseconds; of a time that no calendar has, that of the last one that it has. */
export function instantText(epochMs: number): string {
  return new Date(Math.max(-FURTHEST_MS, Math.min(FURTHEST_MS, epochMs))).toISOString();
}
