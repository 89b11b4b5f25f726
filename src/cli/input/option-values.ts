import { ServiceError } from "../../errors/service-error.js";
import { isTerminal, RUN_STATUSES, type TerminalStatus } from "../../model/run.js";
import { SHOWN_STATES, type ShownState } from "../../operations/read/shown-states.js";
import { parseDuration } from "../../util/duration.js";

/** Parsers of option values. Each throws CLI_USAGE with what is expected and what arrived. */

export function positiveInteger(option: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw unexpected(option, "a positive integer", value);
  };
}

export function wholeNumber(option: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value !== "" && Number.isSafeInteger(number) && number >= 0) return number;
    throw unexpected(option, "a whole number from 0", value);
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

export function stateList(option: string): (value: string) => ShownState[] {
  return (value) => oneOfEach(option, SHOWN_STATES, value);
}

export function terminalStatusList(option: string): (value: string) => TerminalStatus[] {
  return (value) => oneOfEach(option, RUN_STATUSES.filter(isTerminal), value);
}

export function oneOf<T extends string>(option: string, allowed: readonly T[]): (value: string) => T {
  return (value) => {
    if (allowed.includes(value as T)) return value as T;
    throw unexpected(option, `one of ${allowed.join(", ")}`, value);
  };
}

/** Comma-separated names, each one of `allowed`. */
export function oneOfEach<T extends string>(option: string, allowed: readonly T[], value: string): T[] {
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
