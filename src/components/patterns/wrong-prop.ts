import { ServiceError } from "../../errors/service-error.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { shorten } from "../../util/bounded-text.js";

export interface WrongProp {
  /** Its name, also with a place in it: `stages[2].agent`. */
  readonly prop: string;
  /** Its value. @default the prop of that name */
  readonly value?: unknown;
  /** As it reads after "expected". */
  readonly expected: string;
}

/** `<Poller id="deploy"> (flow.tsx:12) has maxAttempts={0}; expected an integer of at least 1.` */
export function wrongProp(composite: Composite, { prop, expected, ...about }: WrongProp): ServiceError {
  const { tag, props, source } = composite;
  const value = "value" in about ? about.value : props[prop];
  const { id } = props;
  return new ServiceError(
    "INVALID_INPUT",
    `${compositeName(composite)} has ${prop}=${shown(value)}; expected ${expected}.`,
    { details: { tag, ...(typeof id === "string" && { id }), prop, ...source } },
  );
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value, 80));
  if (typeof value === "function") return "{a function}";
  if (Array.isArray(value)) return value.length === 0 ? "{[]}" : "{a list}";
  return typeof value === "object" && value !== null ? "{an object}" : `{${String(value)}}`;
}
