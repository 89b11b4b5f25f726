import type { ServiceErrorCode } from "../errors/codes.js";
import { ServiceError } from "../errors/service-error.js";
import { shorten } from "../util/bounded-text.js";
import { nearest } from "../util/nearest.js";
import type { Checked, Defaulted, Defaults, OptionRule, OptionRules } from "./option-rules.js";

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
 *
 * @returns each option as it was read once, inherited ones too, and the defaults of those that are not given
 * @throws INVALID_INPUT, or the owner's code, naming the option, what is expected and what arrived; for
 * an unknown option the known one with the nearest name, and not its value: it may be a misspelt key
 */
export function checkOptions<T extends object, R extends OptionRules<T>>(
  owner: string | OptionsOwner,
  options: T,
  rules: R,
): Checked<T, R> {
  return { ...defaultsOf(rules), ...givenOptions(owner, options, rules) } as unknown as Checked<T, R>;
}

/** As checkOptions, without the defaults: for options that change what was said before. */
export function givenOptions<T extends object>(
  owner: string | OptionsOwner,
  options: T,
  rules: OptionRules<T>,
): T {
  const { of, code, at }: OptionsOwner = typeof owner === "string" ? { of: owner } : owner;
  const path = (option: string) => (at === undefined ? option : `${at}.${option}`);
  if (!isObject(options)) {
    const expected = `the options of ${of} as one object`;
    throw mismatch({ option: at ?? "options", expected, received: options }, code);
  }
  const given: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = readOption({ at: path(name), ...(code !== undefined && { code }) }, rule, () => {
      return (options as Record<string, unknown>)[name];
    });
    if (value !== undefined) given[name] = value;
  }
  const unknownName = namesIn(options).find((name) => !Object.hasOwn(rules, name) && isGiven(options, name));
  if (unknownName !== undefined) {
    throw unknownOption({ of, ...(code !== undefined && { code }) }, path(unknownName), Object.keys(rules));
  }
  return given as T;
}

/** One option by itself, read once. @throws INVALID_INPUT, or the code that is given */
export function readOption<T>(
  { at: option, code }: { at: string; code?: ServiceErrorCode },
  rule: OptionRule<T>,
  read: () => unknown,
): T | undefined {
  const about = { option, expected: rule.expected, isSecret: rule.isSecret === true };
  const { value, ...failure } = reading(read);
  if ("cause" in failure) throw mismatch({ ...about, received: UNREADABLE, ...failure }, code);
  if (value === undefined && rule.isRequired !== true) return undefined;
  const { value: doesFit, ...trap } = reading(() => rule.fits(value));
  if (doesFit === true) return value as T;
  const { each } = rule;
  const wrong = each && reading(() => wrongMember(value, each)).value;
  if (each !== undefined && wrong !== undefined) {
    readOption({ at: `${option}${wrong.at}`, ...(code !== undefined && { code }) }, each, () => wrong.value);
  }
  throw mismatch({ ...about, received: value, ...trap }, code);
}

/** The first entry of a list or an object that is not as it has to be. */
function wrongMember(value: unknown, each: OptionRule): { at: string; value: unknown } | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  const entries = Object.entries(value as object);
  const wrong = entries.find(([, member]) => !each.fits(member));
  return wrong && { at: Array.isArray(value) ? `[${wrong[0]}]` : `.${wrong[0]}`, value: wrong[1] };
}

/** The value of a getter or a proxy, or the error it throws. */
function reading<V>(read: () => V): { value?: V; cause?: unknown } {
  try {
    return { value: read() };
  } catch (cause) {
    return { cause };
  }
}

/** Its own names and inherited ones; a member that was added to all objects is no option. */
function namesIn(options: object): string[] {
  const names: string[] = [];
  for (const name in options)
    if (Object.hasOwn(options, name) || !(name in Object.prototype)) names.push(name);
  return names;
}

function isGiven(options: object, name: string): boolean {
  const { value, ...failure } = reading(() => (options as Record<string, unknown>)[name]);
  return value !== undefined || "cause" in failure;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && reading(() => !Array.isArray(value)).value === true;
}

/** By the rules that say them: the table of a function is read in each of its calls. */
const knownDefaults = new WeakMap<object, object>();

/** The defaults of all options; to be copied, not changed. */
export function defaultsOf<R extends object>(rules: R): Readonly<Defaults<R>> {
  let defaults = knownDefaults.get(rules);
  if (defaults === undefined) {
    const entries = Object.entries<Partial<Defaulted<unknown>>>(rules as Readonly<Record<string, object>>);
    defaults = Object.fromEntries(
      entries.flatMap(([name, rule]) => ("default" in rule ? [[name, rule.default]] : [])),
    );
    knownDefaults.set(rules, defaults);
  }
  return defaults as Defaults<R>;
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
  return mismatch({ option, expected, hint, meant }, code);
}

/** The error for a value that must not appear in a log, or that says nothing. */
export function wrongOption(option: string, expected: string): ServiceError {
  return mismatch({ option, expected });
}

/** @throws INVALID_INPUT */
export function refuseOption(option: string, expected: string, received: unknown): never {
  throw mismatch({ option, expected, received });
}

function mismatch(
  about: {
    option: string;
    expected: string;
    received?: unknown;
    hint?: string;
    meant?: string | undefined;
    cause?: unknown;
    isSecret?: boolean;
  },
  code: ServiceErrorCode = "INVALID_INPUT",
): ServiceError {
  const { option, expected, hint = ".", meant, cause, isSecret = false } = about;
  const show = isSecret ? kindOf : shown;
  const received = "received" in about ? `, received ${show(about.received)}` : "";
  return new ServiceError(code, `Option ${option}: expected ${expected}${received}${hint}`, {
    details: { option, expected, ...(meant !== undefined && { meant }) },
    ...(cause !== undefined && { cause }),
  });
}

/** Stands for what a getter has thrown instead of. */
const UNREADABLE = Symbol("a value that cannot be read");

/** Enough to find out what is wrong with it. */
function kindOf(value: unknown): string {
  if (value === "") return "an empty string";
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
  return isPlain ? `a ${typeof value}` : Array.isArray(value) ? "a list" : shown(value);
}

/** Lists within lists are not gone into: one may hold itself. */
function shown(value: unknown, isInList = false): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(withoutUser(value), 80));
    case "bigint":
      return `${value}n`;
    case "symbol":
      return value === UNREADABLE ? (value.description ?? "") : "a symbol";
    case "function":
      return "a function";
    case "object":
      if (value === null) return "null";
      return shownObject(value, isInList);
    default:
      return String(value);
  }
}

function shownObject(value: object, isInList: boolean): string {
  const { value: items } = reading(() => (Array.isArray(value) ? value.slice(0, 10) : undefined));
  if (items === undefined) return "an object";
  return isInList ? "a list" : `[${items.map((item) => shown(item, true)).join(", ")}]`;
}

/** An address may hold a password; one slash or none after its scheme are as good as two. */
function withoutUser(text: string): string {
  return text.replace(/(:[\\/]*)[^\s\\/?#]*@/g, "$1[redacted]@");
}
