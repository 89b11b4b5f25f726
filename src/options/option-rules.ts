export interface OptionRule<T = unknown> {
  /** As it reads after "expected". */
  readonly expected: string;
  fits(value: unknown): value is T;
  readonly isRequired?: true;
  /** The rule of every entry of a list, or of an object: messages name the wrong one. */
  readonly each?: OptionRule;
  /** No message shows what arrived. */
  readonly isSecret?: true;
}

/** A rule with the option's default. */
export interface Defaulted<T> {
  readonly default: T;
}

/** A rule for each option, one that fits its type, as its default does: `const RULES = {…} satisfies OptionRules<Options>`. */
export type OptionRules<T> = {
  readonly [K in keyof T]-?: OptionRule<Exclude<T[K], undefined>> &
    Partial<Defaulted<Exclude<T[K], undefined>>>;
};

/** Those of a table of rules. */
export type Defaults<R> = { [K in DefaultedName<R>]: R[K] extends Defaulted<infer D> ? D : never };

type DefaultedName<R> = { [K in keyof R]: R[K] extends Defaulted<unknown> ? K : never }[keyof R];

/** The options as they were given, and the defaults of the others. */
export type Checked<T, R> = Omit<T, DefaultedName<R>> & Required<Pick<T, DefaultedName<R> & keyof T>>;

const rule = <T>(expected: string, fits: (value: unknown) => boolean): OptionRule<T> => ({
  expected,
  fits: fits as OptionRule<T>["fits"],
});

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const name = rule<string>("a string that is not empty", (value) => isText(value) && value !== "");

export const text = rule<string>("a string", isText);

const member: OptionRule = { ...text, isRequired: true };

export const texts: OptionRule<string[]> = {
  ...rule<string[]>("a list of strings", (value) => Array.isArray(value) && value.every(isText)),
  each: member,
};

export const textOrTexts: OptionRule<string | string[]> = {
  ...rule<string | string[]>("a string, or a list of strings", (value) => isText(value) || texts.fits(value)),
  each: member,
};

export const flagOrText = rule<boolean | string>(
  "true, false or a string",
  (value) => isText(value) || typeof value === "boolean",
);

export const textsByName: OptionRule<Record<string, string>> = {
  ...rule<Record<string, string>>(
    "an object of strings",
    (value) => isObject(value) && Object.values(value).every(isText),
  ),
  each: member,
};

export const flag = rule<boolean>("true or false", (value) => typeof value === "boolean");

export const number = rule<number>("a number", Number.isFinite);

export const positiveInteger = rule<number>(
  "a positive integer",
  (value) => Number.isInteger(value) && (value as number) > 0,
);

export const positiveNumber = rule<number>(
  "a number above 0",
  (value) => typeof value === "number" && value > 0,
);

export const wholeNumber = rule<number>(
  "a whole number from 0",
  (value) => Number.isInteger(value) && (value as number) >= 0,
);

export const integer = rule<number>("a whole number", (value) => Number.isInteger(value));

/** A length of time, or a moment. */
export const milliseconds = rule<number>(
  "a number of milliseconds from 0",
  (value) => Number.isFinite(value) && (value as number) >= 0,
);

/** The compiler checks its parameters and result. */
export const callback = rule<never>("a function", (value) => typeof value === "function");

/** Its content is checked where it is used, or not at all. */
export const record = rule<never>("an object", isObject);

/** Of this realm or another. */
export const abortSignal = rule<AbortSignal>(
  "an AbortSignal",
  (value) => isObject(value) && "aborted" in value && "addEventListener" in value,
);

/** Checked where it is used, or anything will do. */
export const anything = rule<never>("anything", () => true);

/** For values that must not appear in a log. */
export function secret<R extends OptionRule>(open: R): R {
  return { ...open, isSecret: true, ...(open.each !== undefined && { each: secret(open.each) }) };
}

export function required<T>(optional: OptionRule<T>): OptionRule<T> {
  return { ...optional, isRequired: true };
}

/** Says also what the option is where nothing is given; its docstring says the same as `@default`. */
export function withDefault<R extends OptionRule, D>(optional: R, value: D): R & Defaulted<D> {
  return { ...optional, default: value };
}

export function orNull<T>({ expected, fits }: OptionRule<T>): OptionRule<T | null> {
  return rule(`${expected}, or null`, (value) => value === null || fits(value));
}

export function oneOf<const T extends string>(values: readonly T[]): OptionRule<T> {
  return rule(`one of ${values.join(", ")}`, (value) => (values as readonly unknown[]).includes(value));
}

export function someOf<const T extends string>(values: readonly T[]): OptionRule<T[]> {
  const one = oneOf(values);
  return rule(`a list of ${values.join(", ")}`, (value) => Array.isArray(value) && value.every(one.fits));
}

/** Anything that passes the check. */
export function checked<T = never>(expected: string, fits: (value: unknown) => boolean): OptionRule<T> {
  return rule(expected, fits);
}
