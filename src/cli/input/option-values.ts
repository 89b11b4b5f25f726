import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, RUN_STATUSES, RUN_WAITS, type RunWait, type TerminalStatus } from "../../model/run.js";
import { isQueueName, QUEUE_NAME_RULE } from "../../model/queue-name.js";
import { isReservedName, RESERVED_NAMES } from "../../model/user-names.js";
import { SHOWN_STATES, type ShownState } from "../../operations/index.js";
import { parseDuration } from "../../util/duration.js";

/** Parsers of option values. Each throws CLI_USAGE with what is expected and what arrived. */

export function positiveInteger(option: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw unexpected(option, "a positive integer", value);
  };
}

/** Whom a person claims to be. */
export function userName(option: string): (value: string) => string {
  return (value) => {
    if (!isReservedName(value)) return value;
    throw unexpected(option, `a user, whose name is not one that treadle gives (${RESERVED_NAMES})`, value);
  };
}

export function wholeNumber(option: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value !== "" && Number.isSafeInteger(number) && number >= 0) return number;
    throw unexpected(option, "a whole number from 0", value);
  };
}

export function queueName(option: string): (value: string) => string {
  return (value) => {
    if (isQueueName(value)) return value;
    throw unexpected(option, QUEUE_NAME_RULE, value);
  };
}

/** Comma-separated. */
export function queueNames(option: string): (value: string) => string[] {
  const parse = queueName(option);
  return (value) => {
    const names = commaList(value).map(parse);
    if (names.length > 0) return names;
    throw unexpected(option, "at least one name of a queue", value);
  };
}

/** Milliseconds. */
export function duration(option: string): (value: string) => number {
  return (value) => {
    const ms = parseDuration(value);
    if (ms !== undefined) return ms;
    throw unexpected(option, "a duration such as 30s, 5m, 2h or 30d", value);
  };
}

/** A shorter time between two looks would only keep the machine busy, milliseconds. */
const SHORTEST_INTERVAL_MS = 10;

/** Milliseconds between two looks. */
export function interval(option: string): (value: string) => number {
  const parse = duration(option);
  return (value) => {
    const ms = parse(value);
    if (ms >= SHORTEST_INTERVAL_MS) return ms;
    throw unexpected(option, `${SHORTEST_INTERVAL_MS}ms or more`, value);
  };
}

export function stateList(option: string): (value: string) => ShownState[] {
  return listOf(option, SHOWN_STATES);
}

export function waitList(option: string): (value: string) => RunWait[] {
  return listOf(option, RUN_WAITS);
}

export function terminalStatusList(option: string): (value: string) => TerminalStatus[] {
  return listOf(option, RUN_STATUSES.filter(isTerminal));
}

export function oneOf<T extends string>(option: string, allowed: readonly T[]): (value: string) => T {
  return enumerated({ values: allowed, isList: false }, (value) => {
    if (allowed.includes(value as T)) return value as T;
    throw unexpected(option, `one of ${allowed.join(", ")}`, value);
  });
}

function listOf<T extends string>(option: string, allowed: readonly T[]): (value: string) => T[] {
  return enumerated({ values: allowed, isList: true }, (value) => oneOfEach(option, allowed, value));
}

/** The values that a parser takes. */
export interface AllowedValues {
  readonly values: readonly string[];
  /** Several of them, with commas between. */
  readonly isList: boolean;
}

const allowedValues = new WeakMap<object, AllowedValues>();

/** Makes known what a parser takes. */
export function enumerated<P extends object>(allowed: AllowedValues, parse: P): P {
  allowedValues.set(parse, allowed);
  return parse;
}

/** The values that a parser takes, where they are a few names. */
export function allowedBy(parse: object | undefined): AllowedValues | undefined {
  return parse === undefined ? undefined : allowedValues.get(parse);
}

/** What a run is annotated with, by name; the option may be repeated. */
export function annotation(option: string) {
  return (value: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const at = value.indexOf("=");
    if (at > 0) return { ...previous, [value.slice(0, at)]: value.slice(at + 1) };
    throw unexpected(option, "a name and a value, as in team=core", value);
  };
}

/** Comma-separated names, each one of `allowed`. */
function oneOfEach<T extends string>(option: string, allowed: readonly T[], value: string): T[] {
  const names = commaList(value);
  const wrong = names.find((name) => !allowed.includes(name as T));
  if (names.length > 0 && wrong === undefined) return names as T[];
  throw unexpected(option, `some of ${allowed.join(", ")}`, wrong ?? value);
}

export function commaList(value: string): string[] {
  return value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function unexpected(option: string, expected: string, received: string): ServiceError {
  return new ServiceError(
    "CLI_USAGE",
    `${option}: expected ${expected}, received ${JSON.stringify(received)}.`,
    {
      details: { option, expected },
    },
  );
}
