import type { CodexAgentOptions } from "./codex-options.js";

/** Overrides as the tool wants them: `dotted.path=TOML value`. */
export function codexOverrides(config: CodexAgentOptions["config"]): string[] {
  if (config === undefined) return [];
  if (Array.isArray(config)) return config;
  return Object.entries(config).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${toml(value)}`],
  );
}

/** JSON texts, numbers, booleans and lists are TOML as they stand; objects become inline tables. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)} = ${toml(member)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}
