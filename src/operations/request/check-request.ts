import { ServiceError } from "../../errors/service-error.js";

/** What one field of a request has to be. */
export interface FieldRule {
  /** As it reads after "expected". */
  readonly expected: string;
  fits(value: unknown): boolean;
  readonly isRequired?: true;
}

/** A rule for each field that a request may have. */
export type RequestRules<T> = Readonly<Record<keyof T, FieldRule>>;

/**
 * Refuses a request that a caller without types got wrong, before anything is
 * done: a misspelt filter would otherwise mean everything.
 * @throws INVALID_INPUT naming the field, what is expected and what arrived
 */
export function checkRequest<T extends object>(
  operation: string,
  request: T,
  rules: RequestRules<Required<T>>,
): void {
  if (typeof request !== "object" || request === null) {
    refuseOption("request", `the options of ${operation} as one object`, request);
  }
  for (const [name, rule] of Object.entries<FieldRule>(rules)) {
    const value = (request as Record<string, unknown>)[name];
    const isMissing = value === undefined && rule.isRequired !== true;
    if (!isMissing && !rule.fits(value)) refuseOption(name, rule.expected, value);
  }
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || Object.hasOwn(rules, name)) continue;
    refuseOption(name, `an option of ${operation} (${Object.keys(rules).join(", ")})`, value);
  }
}

/** @throws INVALID_INPUT */
export function refuseOption(option: string, expected: string, received: unknown): never {
  throw new ServiceError(
    "INVALID_INPUT",
    `Option ${option}: expected ${expected}, received ${shown(received)}.`,
    { details: { option, expected } },
  );
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Array.isArray(value)) return `[${value.slice(0, 10).map(shown).join(", ")}]`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

export const name: FieldRule = {
  expected: "a string that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};

export const text: FieldRule = { expected: "a string", fits: (value) => typeof value === "string" };

export const texts: FieldRule = {
  expected: "a list of strings",
  fits: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

export const flag: FieldRule = {
  expected: "true or false",
  fits: (value) => typeof value === "boolean",
};

export const positiveInteger: FieldRule = {
  expected: "a positive integer",
  fits: (value) => Number.isInteger(value) && (value as number) > 0,
};

export const wholeNumber: FieldRule = {
  expected: "a whole number from 0",
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
};

export const integer: FieldRule = { expected: "a whole number", fits: (value) => Number.isInteger(value) };

/** A length of time, or a moment. */
export const milliseconds: FieldRule = {
  expected: "a number of milliseconds from 0",
  fits: (value) => Number.isFinite(value) && (value as number) >= 0,
};

export const callback: FieldRule = { expected: "a function", fits: (value) => typeof value === "function" };

export const record: FieldRule = {
  expected: "an object",
  fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Of this realm or another. */
export const abortSignal: FieldRule = {
  expected: "an AbortSignal",
  fits: (value) =>
    typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value,
};

export const anything: FieldRule = { expected: "anything", fits: () => true };

export function required(rule: FieldRule): FieldRule {
  return { ...rule, isRequired: true };
}

export function oneOf(values: readonly string[]): FieldRule {
  return {
    expected: `one of ${values.join(", ")}`,
    fits: (value) => (values as readonly unknown[]).includes(value),
  };
}

export function someOf(values: readonly string[]): FieldRule {
  const one = oneOf(values);
  return {
    expected: `a list of ${values.join(", ")}`,
    fits: (value) => Array.isArray(value) && value.every((each) => one.fits(each)),
  };
}
