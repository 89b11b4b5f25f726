import type { ServiceErrorCode } from "../errors/codes.js";
import { ServiceError } from "../errors/service-error.js";
import { nearest } from "../util/nearest.js";
import type { OptionRule, OptionRules } from "./option-rules.js";

/** Whose options they are, as it reads in messages. */
export interface OptionsOwner {
  readonly of: string;
  /** @default "INVALID_INPUT" */
  readonly code?: ServiceErrorCode;
  /** Where these options are in those that the caller has given, such as `limits.model-x`. */
  readonly at?: string;
}

/**
 * Refuses options that a caller without types got wrong, before anything is
 * done: a misspelt filter would otherwise mean everything.
 * @throws INVALID_INPUT, or the owner's code, naming the option, what is expected and what arrived; for
 * an unknown option the known one with the nearest name, and not its value: it may be a misspelt key
 */
export function checkOptions<T extends object>(
  owner: string | OptionsOwner,
  options: T,
  rules: OptionRules<T>,
): void {
  const { of, code, at }: OptionsOwner = typeof owner === "string" ? { of: owner } : owner;
  const path = (option: string) => (at === undefined ? option : `${at}.${option}`);
  const refuse = (option: string, expected: string, received: unknown) => {
    throw misfit({ option, expected, received }, code);
  };
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    refuse(at ?? "options", `the options of ${of} as one object`, options);
  }
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = (options as Record<string, unknown>)[name];
    const isMissing = value === undefined && rule.isRequired !== true;
    if (!isMissing && !rule.fits(value)) refuse(path(name), rule.expected, value);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(rules, name))
      throw unknownOption({ of, ...(code !== undefined && { code }) }, path(name), Object.keys(rules));
  }
}

/** The error for an option that there is not. */
export function unknownOption(
  { of, code }: OptionsOwner,
  option: string,
  known: readonly string[],
): ServiceError {
  const meant = nearest(option.slice(option.lastIndexOf(".") + 1), known);
  const hint = meant === undefined ? "." : `; did you mean ${meant}?`;
  const expected = `an option of ${of} (${known.join(", ")})`;
  return misfit({ option, expected, hint, meant }, code);
}

/** @throws INVALID_INPUT */
export function refuseOption(option: string, expected: string, received: unknown): never {
  throw misfit({ option, expected, received });
}

function misfit(
  about: {
    option: string;
    expected: string;
    received?: unknown;
    hint?: string;
    meant?: string | undefined;
  },
  code: ServiceErrorCode = "INVALID_INPUT",
): ServiceError {
  const { option, expected, hint = ".", meant } = about;
  const received = "received" in about ? `, received ${shown(about.received)}` : "";
  return new ServiceError(code, `Option ${option}: expected ${expected}${received}${hint}`, {
    details: { option, expected, ...(meant !== undefined && { meant }) },
  });
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(withoutUser(value).slice(0, 80));
  if (Array.isArray(value)) return `[${value.slice(0, 10).map(shown).join(", ")}]`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** An address may hold a password. */
function withoutUser(text: string): string {
  return text.replace(/:\/\/[^\s/?#]*@/g, "://[redacted]@");
}
