import { parseDuration } from "../../util/duration.js";

/**
 * When a usage limit ends, as the sentences of the tools put it, in epoch milliseconds. Undefined when
 * the text does not tell or names a moment that has passed.
 */
export function quotaResetAt(text: string, nowMs: number, zone = localZone()): number | undefined {
  const atMs =
    epoch(text) ?? isoDate(text) ?? wait(text, nowMs) ?? seconds(text, nowMs) ?? wallClock(text, nowMs, zone);
  return atMs !== undefined && atMs > nowMs ? Math.round(atMs) : undefined;
}

/** `"resets_at":1777936568`, `limit reached|1750708800`, `x-ratelimit-reset: 1777936568000`. */
const EPOCH = /(?:reset[a-z_-]{0,40}|limit reached)["'\s:=|]{0,20}([12]\d{9})(\d{3})?\b/i;

function epoch(text: string): number | undefined {
  const match = EPOCH.exec(text);
  return match === null ? undefined : Number(match[1]) * 1_000 + Number(match[2] ?? 0);
}

const ISO =
  /(?:reset|again|until)[^\d\n]{0,30}(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)/i;

function isoDate(text: string): number | undefined {
  const found = ISO.exec(text)?.[1];
  const ms = found === undefined ? Number.NaN : Date.parse(found.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

const UNITS: Readonly<Record<string, string>> = {
  millisecond: "ms",
  second: "s",
  sec: "s",
  minute: "m",
  min: "m",
  hour: "h",
  hr: "h",
  day: "d",
};
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)\b`;
/** Compound forms have no blank between a unit and the next number: `8h44m7s`. */
const COMPOUND = String.raw`(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+\b`;
const WAIT = new RegExp(
  String.raw`(?:again|retry|resets?|reset|wait|available)\s+(?:(?:in|after|for)\s*)?((?:(?:${COMPOUND}|${AMOUNT})[\s,]*(?:and\s+)?)+)`,
  "i",
);

/** `try again in 2 days 17 hours`, `Resets in 167h51m3s`, `will reset after 8h44m7s`, `retry in 41.2s`. */
function wait(text: string, nowMs: number): number | undefined {
  const found = WAIT.exec(text)?.[1];
  if (found === undefined) return undefined;
  let sum = 0;
  for (const [, amount, unit = ""] of found.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const name = unit.toLowerCase();
    sum += parseDuration(`${amount}${UNITS[name.replace(/s$/, "")] ?? name}`) ?? 0;
  }
  return nowMs + sum;
}

/** `retry-after: 3600`, `"resets_in_seconds":13872`, `"retryDelay":"34.07s"`. */
const SECONDS =
  /(?:retry[-_ ]?after(?:_seconds)?|resets?_(?:in|after)_seconds|retry_?delay)["'\s:=]*(\d+(?:\.\d+)?)/i;

function seconds(text: string, nowMs: number): number | undefined {
  const found = SECONDS.exec(text)?.[1];
  return found === undefined ? undefined : nowMs + Number(found) * 1_000;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WALL_CLOCK = new RegExp(
  String.raw`(?:again(?: at| on)?|resets?(?: at| on)?|until)\s+` +
    String.raw`(?:(${MONTHS.join("|")})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?)?` +
    String.raw`(?:,?\s*(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?\b)?(?:\s*\(([\w+/-]+)\))?`,
  "i",
);

/** `try again at Aug 8th, 2026 12:30 PM`, `resets Apr 23 at 4pm (America/Recife)`, `resets 1:30am`. */
function wallClock(text: string, nowMs: number, zone: string): number | undefined {
  const match = WALL_CLOCK.exec(text);
  if (match === null) return undefined;
  const [, month, day, year, hourText, minuteText, half, named] = match;
  const hasTime = hourText !== undefined && (half !== undefined || minuteText !== undefined);
  if (month === undefined && !hasTime) return undefined;
  const place = named !== undefined && isZone(named) ? named : zone;
  const today = fieldsIn(place, nowMs);
  const clock = hasTime
    ? { hour: hour24(Number(hourText), half), minute: Number(minuteText ?? 0) }
    : { hour: 0, minute: 0 };
  if (month === undefined) {
    const atMs = momentIn(place, { ...today, ...clock });
    return atMs > nowMs ? atMs : momentIn(place, { ...today, ...clock, day: today.day + 1 });
  }
  const date = { month: MONTHS.indexOf(month.toLowerCase().slice(0, 3)), day: Number(day), ...clock };
  const atMs = momentIn(place, { year: Number(year ?? today.year), ...date });
  return atMs > nowMs || year !== undefined ? atMs : momentIn(place, { year: today.year + 1, ...date });
}

function hour24(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
}

interface Fields {
  year: number;
  /** 0 to 11. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** The moment at which a wall clock in `zone` shows these fields. */
function momentIn(zone: string, fields: Fields): number {
  const wanted = Date.UTC(fields.year, fields.month, fields.day, fields.hour, fields.minute);
  let atMs = wanted;
  // The second round corrects a guess that fell on the other side of a change of the clocks.
  for (let round = 0; round < 2; round += 1) {
    const shown = fieldsIn(zone, atMs);
    atMs += wanted - Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute);
  }
  return atMs;
}

function fieldsIn(zone: string, atMs: number): Fields {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(atMs);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read("year"),
    month: read("month") - 1,
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
  };
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
