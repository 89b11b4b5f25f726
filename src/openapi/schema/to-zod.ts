import { z } from "zod";
import { withinTimeLimit } from "../time-limit.js";
import { rewriteUnit, type SchemaSource, survey, type Unit } from "./survey.js";
import type { Rewritten } from "./visitor.js";

export interface ConvertedSchema {
  readonly schema: z.ZodType;
  /** Keywords that are not checked, sorted. */
  readonly unchecked: readonly string[];
  /** `$ref`s that lead nowhere; any value is accepted in their place. */
  readonly dangling: readonly string[];
  /** Names of schemas that are too deep to be shown; any value is accepted in their place. */
  readonly pruned: readonly string[];
}

/**
 * The limit of one tool's text for a model, in characters, counting a schema once for
 * every place where it appears. References multiply: some documents would
 * otherwise unfold into megabytes.
 */
const LARGEST_SCHEMA = 60_000;

/** References in a row that are followed. Keeps the conversion within the stack. */
const DEEPEST_REFERENCE = 40;

/** The zod schema of a JSON schema whose `$ref`s point into a document. */
export function toZod(source: SchemaSource, root: Record<string, unknown>): ConvertedSchema {
  const units = survey(source, root);
  const depth = affordableDepth(units);
  const kept = units.filter((unit) => unit.level <= depth);
  const loops = loopingReferences(kept);
  const byTarget = new Map<object, Unit>(units.map((unit) => [unit.schema, unit]));
  const unchecked = new Set<string>();
  const dangling = new Set<string>();
  const pruned = new Set<string>();

  const rewrite = (unit: Unit): Rewritten =>
    rewriteUnit(source, unit.schema, {
      refer(target, _hint, sameValue) {
        const used = byTarget.get(target) as Unit;
        if (used.level > depth) {
          pruned.add(used.name);
          return { description: `Any value of the kind ${used.name}.` };
        }
        return sameValue && loops.get(unit)?.has(used) ? {} : { $ref: `#/definitions/${used.name}` };
      },
      dangling: (ref) => dangling.add(ref),
      unchecked: (keyword) => unchecked.add(keyword),
      isInput: unit.level === 0,
    });

  const [first, ...rest] = kept;
  const jsonSchema = {
    ...rewrite(first as Unit),
    definitions: Object.fromEntries(rest.map((unit) => [unit.name, rewrite(unit)])),
  };
  return {
    // The 3.0 target differs by `nullable` and `definitions` only; 3.1 documents lose nothing by it.
    schema: boundedCheck(
      z.fromJSONSchema(jsonSchema as z.core.JSONSchema.JSONSchema, { defaultTarget: "openapi-3.0" }),
    ),
    unchecked: [...unchecked].sort(),
    dangling: [...dangling].sort(),
    pruned: [...pruned].sort(),
  };
}

/** How many references in a row may be followed before the unfolded schema is too large. */
function affordableDepth(units: readonly Unit[]): number {
  const deepest = Math.min(units.at(-1)?.level ?? 0, DEEPEST_REFERENCE);
  for (let depth = deepest; depth > 0; depth -= 1) {
    if (unfoldedSize(units[0] as Unit, depth) <= LARGEST_SCHEMA) return depth;
  }
  return 0;
}

/** Weight of a unit with everything it refers to in place; a recursive reference counts once. */
function unfoldedSize(root: Unit, depth: number): number {
  const sizes = new Map<Unit, number>();
  const sizeOf = (unit: Unit): number => {
    const known = sizes.get(unit);
    if (known !== undefined) return known;
    sizes.set(unit, 1);
    let size = unit.weight;
    for (const used of unit.uses) size += used.level > depth ? 1 : sizeOf(used);
    sizes.set(unit, size);
    return size;
  };
  return sizeOf(root);
}

/**
 * References that would describe a value by itself: `Pet` is one of `Cat` and
 * `Dog`, `Cat` is a `Pet` and more. Checking such a value would not end, so the
 * reference that closes the circle accepts anything.
 */
function loopingReferences(units: readonly Unit[]): Map<Unit, Set<Unit>> {
  const kept = new Set(units);
  const loops = new Map<Unit, Set<Unit>>();
  const state = new Map<Unit, "open" | "done">();
  const visit = (unit: Unit): void => {
    state.set(unit, "open");
    for (const used of unit.sameValue) {
      if (!kept.has(used)) continue;
      if (state.get(used) === "open") loops.set(unit, (loops.get(unit) ?? new Set()).add(used));
      else if (state.get(used) === undefined) visit(used);
    }
    state.set(unit, "done");
  };
  for (const unit of units) if (state.get(unit) === undefined) visit(unit);
  return loops;
}

/**
 * The same schema, whose every check of a value ends in time, for every caller: the tool itself, or
 * the SDK that hands it the model's input.
 */
function boundedCheck<T extends z.ZodType>(schema: T): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) =>
    withinTimeLimit(
      () => run(payload, context),
      () => {
        const message = "takes too long to check against the patterns of the document";
        payload.issues.push({ code: "custom", message, input: payload.value, inst: schema });
        return payload;
      },
    );
  return schema;
}
