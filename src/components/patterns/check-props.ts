import { elementSource } from "../../../jsx-runtime/element-source.js";
import { ServiceError } from "../../errors/service-error.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { unknownProp } from "../../model/element-props.js";
import { type AgentInput, isAgent } from "../../model/agent.js";
import type { OutputTarget } from "../../model/schema.js";
import {
  type Checked,
  checked,
  type Defaulted,
  type OptionRule,
  required,
} from "../../options/option-rules.js";
import { wrongProp } from "./wrong-prop.js";

/** A rule for each prop, and a default that fits it; a prop without one, or one too many, does not compile. */
export type PropRules<P> = {
  readonly [K in keyof P]-?: OptionRule & Partial<Defaulted<Exclude<P[K], undefined>>>;
};

export interface CheckedProps<P, R> {
  /** Who it is, for `partsOf`, `wrongProp` and `readField`. */
  readonly composite: Composite;
  /** As they were given, and the defaults of the others. */
  readonly props: Checked<P, R>;
}

/**
 * Refuses, in the first frame and under the name that the author wrote, what the elements inside a composite
 * would refuse later and under theirs.
 *
 * @throws INVALID_INPUT naming component, prop, value and what is expected
 */
export function checkProps<P extends object, R extends PropRules<P>>(
  tag: string,
  given: P,
  rules: R,
): CheckedProps<P, R> {
  const source = elementSource(given);
  const composite: Composite = {
    tag,
    props: given as Readonly<Record<string, unknown>>,
    ...(source !== undefined && { source }),
  };
  const problem = unknownProp(composite.props, new Set(Object.keys(rules)));
  if (problem !== undefined) {
    throw new ServiceError("INVALID_INPUT", `${compositeName(composite)} has ${problem}`, {
      details: { tag },
    });
  }
  const props: Record<string, unknown> = { ...composite.props };
  for (const [prop, rule] of Object.entries<OptionRule & Partial<Defaulted<unknown>>>(rules)) {
    const value = composite.props[prop];
    if (value === undefined && rule.isRequired !== true) {
      if ("default" in rule) props[prop] = rule.default;
    } else if (!rule.fits(value)) throw wrongProp(composite, { prop, expected: rule.expected });
  }
  return { composite, props: props as CheckedProps<P, R>["props"] };
}

/** How often at most. */
export const limit = checked<number>(
  "an integer of at least 1, or Infinity",
  (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1),
);

/** How many at once. */
export const concurrency = checked<number>(
  "an integer of at least 1",
  (value) => Number.isInteger(value) && (value as number) >= 1,
);

/** Whether the workflow has this output is checked where a task writes to it. */
export const optionalOutput = checked<OutputTarget>(
  "one of the workflow's outputs",
  (value) => (typeof value === "string" && value !== "") || (typeof value === "object" && value !== null),
);

export const output = required(optionalOutput);

/** One agent, or a chain, as a `Task` takes it. */
export const agent = checked<AgentInput | readonly AgentInput[]>(
  "an agent (an object with generate()) or a non-empty list of agents",
  isAgentOrChain,
);

/** A list that the author writes, and that makes no sense without an entry. */
export const nonEmptyList = checked<readonly unknown[]>(
  "a list with at least one entry",
  (value) => Array.isArray(value) && value.length > 0,
);

/** For the built-in `bash` tool. */
export const shellLine = checked<string>(
  "a command to run",
  (value) => typeof value === "string" && value.trim() !== "",
);

export function isAgentOrChain(value: unknown): value is AgentInput | readonly AgentInput[] {
  return isAgent(value) || (Array.isArray(value) && value.length > 0 && value.every(isAgent));
}
