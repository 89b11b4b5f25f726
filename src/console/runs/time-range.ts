/** Which runs a list has by the time at which they were made, as it stands in an address. */
export interface TimeRange {
  createdAfterMs?: number;
  createdBeforeMs?: number;
}

const HOUR_MS = 3_600_000;

/** Ranges that end now, by their names in an address. */
export const RANGES = {
  "1h": { name: "1 h", ms: HOUR_MS },
  "24h": { name: "24 h", ms: 24 * HOUR_MS },
  "7d": { name: "7 d", ms: 7 * 24 * HOUR_MS },
  "30d": { name: "30 d", ms: 30 * 24 * HOUR_MS },
} as const;

export type RangeName = keyof typeof RANGES;

export function rangeNamed(name: string | null): RangeName | undefined {
  return name !== null && Object.hasOwn(RANGES, name) ? (name as RangeName) : undefined;
}

/** A twelfth of the range is how exact its begin is: with each look another one, nothing would stay. */
const EXACTNESS = 12;

/** `since=24h`, or `from` and `until` in epoch milliseconds; none of them: all times. */
export function rangeOf(query: URLSearchParams, nowMs: number): TimeRange {
  const name = rangeNamed(query.get("since"));
  if (name !== undefined) {
    const { ms } = RANGES[name];
    const step = ms / EXACTNESS;
    return { createdAfterMs: Math.floor((nowMs - ms) / step) * step };
  }
  const from = moment(query.get("from"));
  const until = moment(query.get("until"));
  return {
    ...(from !== undefined && { createdAfterMs: from }),
    ...(until !== undefined && { createdBeforeMs: until }),
  };
}

/** Digits alone: an address may hold anything, and the page is shown all the same. */
function moment(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
