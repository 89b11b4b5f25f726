import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { MAX_INPUT_DEPTH } from "../limits.js";
import { describeValue, KIND_NAME } from "./column.js";
import { definitionOf, fieldTypeOf } from "./field-type.js";
import { type InputIssue, isPlainRecord, mismatchOf, mismatch } from "./input-values.js";
import { formatPath } from "./names.js";

/** A place inside an input, and where its type mismatches go. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly issues: InputIssue[];
}

/**
 * Checks presence and types of everything inside a field as the fields
 * themselves are checked: by what they are, never by the schema's own rules.
 * Lengths, formats and refinements do not act, and nothing is changed.
 */
export function checkShape(schema: $ZodType, value: unknown, place: Place): void {
  // The encoder refuses what is deeper.
  if (place.path.length > MAX_INPUT_DEPTH) return;
  const def = definitionOf(schema);
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "catch":
      if (value !== undefined) checkShape(def.innerType, value, place);
      return;
    case "nullable":
      if (value !== null) checkShape(def.innerType, value, place);
      return;
    case "nonoptional":
      if (value === undefined) return miss("a value", value, place);
      return checkShape(def.innerType, value, place);
    case "readonly":
      return checkShape(def.innerType, value, place);
    case "pipe":
      return checkShape(def.in, value, place);
    case "lazy":
      return checkShape(def.getter(), value, place);
    case "object":
      return checkObject(def, value, place);
    case "record":
      return checkRecord(def, value, place);
    case "array":
      if (!Array.isArray(value)) return miss("an array", value, place);
      for (const [index, item] of value.entries()) checkShape(def.element, item, inside(place, index));
      return;
    case "tuple":
      return checkTuple(def, value, place);
    case "union":
      return checkUnion(def, value, place);
    case "intersection":
      checkShape(def.left, value, place);
      return checkShape(def.right, value, place);
    case "map":
    case "set":
      return checkCollection(def, value, place);
    default:
      return checkLeaf(schema, value, place);
  }
}

type Def<T extends $ZodTypes["_zod"]["def"]["type"]> = Extract<$ZodTypes["_zod"]["def"], { type: T }>;

function checkObject({ shape, catchall }: Def<"object">, value: unknown, place: Place): void {
  if (!isPlainRecord(value)) return miss("an object", value, place);
  for (const [field, of] of Object.entries(shape)) {
    checkShape(of, Object.hasOwn(value, field) ? value[field] : undefined, inside(place, field));
  }
  if (catchall === undefined) return;
  for (const [field, member] of Object.entries(value)) {
    if (!Object.hasOwn(shape, field)) checkShape(catchall, member, inside(place, field));
  }
}

function checkRecord(def: Def<"record">, value: unknown, place: Place): void {
  if (!isPlainRecord(value)) return miss("an object", value, place);
  const names = def.partial === true ? undefined : def.keyType._zod.values;
  for (const name of names ?? []) {
    const field = String(name);
    if (!Object.hasOwn(value, field)) checkShape(def.valueType, undefined, inside(place, field));
  }
  for (const [field, member] of Object.entries(value)) {
    checkShape(def.valueType, member, inside(place, field));
  }
}

function checkTuple({ items, rest }: Def<"tuple">, value: unknown, place: Place): void {
  if (!Array.isArray(value)) return miss("an array", value, place);
  for (const [index, item] of items.entries()) checkShape(item, value[index], inside(place, index));
  for (let index = items.length; index < value.length; index += 1) {
    if (rest === null) miss("no further element", value[index], inside(place, index));
    else checkShape(rest, value[index], inside(place, index));
  }
}

/** Fits one of its options. A mismatch is reported against the option that the value was meant for, where it says so. */
function checkUnion(def: Def<"union">, value: unknown, place: Place): void {
  const typeMismatches = def.options.map((option) => {
    const issues: InputIssue[] = [];
    checkShape(option, value, { ...place, issues });
    return issues;
  });
  if (typeMismatches.some((issues) => issues.length === 0)) return;
  const meant = "discriminator" in def ? intended(def.options, String(def.discriminator), value) : -1;
  const issues = typeMismatches[meant];
  if (issues === undefined) miss("one of the types of its schema", value, place);
  else place.issues.push(...issues);
}

function intended(options: readonly $ZodType[], discriminator: string, value: unknown): number {
  if (!isPlainRecord(value)) return -1;
  const said = value[discriminator];
  return options.findIndex((option) => option._zod.propValues?.[discriminator]?.has(said as never));
}

function checkCollection(def: Def<"map"> | Def<"set">, value: unknown, place: Place): void {
  if (def.type === "set") {
    if (!(value instanceof Set)) return miss("a Set", value, place);
    for (const [index, item] of [...value].entries()) checkShape(def.valueType, item, inside(place, index));
    return;
  }
  if (!(value instanceof Map)) return miss("a Map", value, place);
  for (const [key, member] of value) checkShape(def.valueType, member, inside(place, String(key)));
}

/** Types that hold nothing else. Those that only the schema's own code can tell apart are left to the encoder. */
function checkLeaf(schema: $ZodType, value: unknown, place: Place): void {
  const { type } = definitionOf(schema);
  if (type === "never") return miss("no value", value, place);
  if (type === "null" && value !== null) return miss("null", value, place);
  if (type === "bigint" && typeof value !== "bigint") return miss("a bigint", value, place);
  if ((type === "undefined" || type === "void") && value !== undefined) return miss("nothing", value, place);
  const field = fieldTypeOf(schema, "input");
  const typeMismatch = mismatchOf(value, field);
  if (typeMismatch === undefined) {
    if (value === undefined && !field.optional) miss("a value", value, place);
    return;
  }
  // Text is not turned into a date here.
  const expected = type === "date" ? KIND_NAME.date : typeMismatch.expected;
  place.issues.push(mismatch(formatPath(place.path), expected, typeMismatch.received));
}

function miss(expected: string, value: unknown, { path, issues }: Place): void {
  issues.push(mismatch(formatPath(path), expected, describeValue(value)));
}

function inside({ path, issues }: Place, step: string | number): Place {
  return { path: [...path, step], issues };
}
