/** From the most to the least that is logged; `None` logs nothing. */
const LOG_LEVELS = ["All", "Trace", "Debug", "Info", "Warn", "Error", "Fatal", "None"] as const;

/** How much is logged: what has this level or a later one. Named as in the effect library. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level of one record. */
export type Severity = Exclude<LogLevel, "All" | "None">;

/** `info`, `Info`, `warning`: the level of that name; undefined when there is none. */
export function logLevelOf(name: string): LogLevel | undefined {
  const wanted = name.trim().toLowerCase();
  return LOG_LEVELS.find((level) => level.toLowerCase() === (wanted === "warning" ? "warn" : wanted));
}

export function isAtLeast(severity: Severity, level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(severity) >= LOG_LEVELS.indexOf(level);
}
