import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isRecord } from "../../util/is-record.js";
import { LOOKS } from "./looks.js";
import type { PathProblems } from "./problems.js";

/**
 * Parts of a value that its JSON Schema does not allow, though their types fit: a number that is too small, a list that is too long. The
 * gateway, which starts a run with what its input's columns can hold, does not ask for that.
 */
export function misfits(schema: unknown, value: unknown): PathProblems {
  if (!isRecord(schema)) return {};
  const problems: Record<string, string> = {};
  for (const unit of errorsOf(schema, value)) {
    const problem = SAID[unit.keyword]?.(...ruleAt(schema, unit.keywordLocation));
    if (problem !== undefined) problems[pathOf(unit.instanceLocation)] ??= problem;
  }
  return problems;
}

/** All of them in a sentence. */
export function misfitText(problems: PathProblems): string {
  const all = Object.entries(problems).map(([path, problem]) => `${path || "the input"}: ${problem}`);
  return `The input does not fit. ${all.join(" ")}`;
}

/** A schema that cannot be read has nothing against a value. */
function errorsOf(schema: Schema, value: unknown): OutputUnit[] {
  try {
    return new Validator(schema, "2020-12", false).validate(value).errors;
  } catch {
    return [];
  }
}

const NEEDED = "This is needed.";

type Said = (rule: unknown, of: Record<string, unknown>) => string;

const SAID: Readonly<Record<string, Said>> = {
  minimum: (least) => `This has to be ${least} or more.`,
  exclusiveMinimum: (bound) => `This has to be more than ${bound}.`,
  maximum: (most) => `This has to be ${most} or less.`,
  exclusiveMaximum: (bound) => `This has to be less than ${bound}.`,
  multipleOf: (step) => `This has to be a multiple of ${step}.`,
  minLength: (least) => (least === 1 ? NEEDED : `This has to have ${counted(least, "character")} or more.`),
  maxLength: (most) => `This has to have ${counted(most, "character")} or fewer.`,
  minItems: (least) => `This has to have ${counted(least, "item")} or more.`,
  maxItems: (most) => `This has to have ${counted(most, "item")} or fewer.`,
  pattern: (pattern, { format }) => {
    const look = LOOKS[String(format)];
    return look === undefined ? `This has to match ${pattern}.` : `This has to be written like ${look}`;
  },
};

function counted(count: unknown, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** The value of the rule at a place of the schema, and what it stands in. */
function ruleAt(schema: Schema, location: string): [rule: unknown, of: Record<string, unknown>] {
  let of: unknown = schema;
  const steps = stepsOf(location);
  const last = steps.pop() ?? "";
  for (const step of steps) {
    const next: unknown =
      isRecord(of) || Array.isArray(of) ? (of as Record<string, unknown>)[step] : undefined;
    of = step === "$ref" && typeof next === "string" ? at(schema, next) : next;
  }
  return isRecord(of) ? [of[last], of] : [undefined, {}];
}

function at(schema: Schema, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>((part, step) => (isRecord(part) ? part[step] : undefined), schema);
}

/** `#/steps/0/title` as `steps[0].title`. */
function pathOf(location: string): string {
  return stepsOf(location)
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}
