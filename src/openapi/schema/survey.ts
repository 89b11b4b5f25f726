import { follow, resolveReference } from "../reference.js";
import { asRecord } from "../spec.js";
import { convertible } from "./convertible.js";
import { describeSchema } from "./describe.js";
import type { Rewritten, SchemaVisitor } from "./visitor.js";

/** Where schemas come from: the document their references point into, and the objects it holds twice. */
export interface SchemaSource {
  readonly spec: unknown;
  readonly shared: ReadonlySet<object>;
}

/**
 * A schema that is referred to, or the root. The schemas below it that are not
 * referred to belong to it.
 */
export interface Unit {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  /** References between the root and here, on the shortest way. */
  readonly level: number;
  /** Roughly the characters of its JSON Schema, without the units it refers to. */
  weight: number;
  /** Units it refers to, one entry per reference. */
  readonly uses: Unit[];
  /** Of these, the ones that describe the same value, because no property or item lies between. */
  readonly sameValue: Set<Unit>;
}

/** Deeper nesting without a reference is shown as "any value". */
const DEEPEST_INLINE = 60;

/** The report of a walk over one unit, and the stand-in for a reference in its outcome. */
export interface UnitWalk {
  /** A reference to `target` was met; `sameValue` as in {@link Unit}. */
  refer(target: object, hint: string, sameValue: boolean): Rewritten;
  /** A reference leads nowhere. */
  dangling(ref: string): void;
  unchecked(keyword: string): void;
  /**
   * The unit is the input of a tool and its properties are parameters, which are
   * sent even where their schema is marked read-only for bodies.
   */
  isInput?: boolean;
  /** A schema of the unit itself was entered. */
  entered?(schema: Record<string, unknown>): void;
}

/** Rewrites one unit; references are whatever `walk.refer` makes of them. */
export function rewriteUnit(
  source: SchemaSource,
  schema: Record<string, unknown>,
  walk: UnitWalk,
): Rewritten {
  const at = (here: Record<string, unknown>, place: Place): Rewritten => {
    walk.entered?.(here);
    let names: ReadonlySet<string> | undefined;
    const readOnly = () => {
      names ??=
        walk.isInput && place.depth === 0 ? NONE : readOnlyNames(source.spec, here, new Set(place.readOnly));
      return names;
    };
    const visitor: SchemaVisitor = {
      isWhole: place.isWhole,
      child(raw, nested) {
        if (typeof raw === "boolean") return raw;
        const child = asRecord(raw);
        if (child === undefined || place.depth === DEEPEST_INLINE) return {};
        const sameValue = place.sameValue && !nested;
        if (source.shared.has(child)) return walk.refer(child, "Shared", sameValue);
        return at(child, {
          depth: place.depth + 1,
          sameValue,
          isWhole: nested,
          readOnly: nested ? [] : readOnly(),
        });
      },
      reference(ref) {
        const target = resolveReference(source.spec, ref);
        if (typeof target === "boolean") return target ? {} : { not: {} };
        if (asRecord(target) !== undefined) return walk.refer(target as object, nameIn(ref), place.sameValue);
        walk.dangling(ref);
        return {};
      },
      readOnlyNames: readOnly,
      unchecked: walk.unchecked,
    };
    return convertible(here, visitor);
  };
  return at(schema, { depth: 0, sameValue: true, isWhole: false, readOnly: [] });
}

const NONE: ReadonlySet<string> = new Set();

interface Place {
  depth: number;
  sameValue: boolean;
  isWhole: boolean;
  /** Names that the schema around a composition marks read-only. */
  readOnly: Iterable<string>;
}

/** All units that can be reached from `root`, the root first, nearest first. */
export function survey(source: SchemaSource, root: Record<string, unknown>): Unit[] {
  const units = new Map<object, Unit>();
  const names = new Set<string>();
  const add = (schema: object, hint: string, level: number): Unit => {
    const unit: Unit = {
      name: uniqueName(hint, names),
      schema: schema as Record<string, unknown>,
      level,
      weight: 0,
      uses: [],
      sameValue: new Set(),
    };
    units.set(schema, unit);
    return unit;
  };
  add(root, "Input", 0);
  // A Map yields what is added while it is walked, so this goes breadth first.
  for (const unit of units.values()) {
    rewriteUnit(source, unit.schema, {
      refer(target, hint, sameValue) {
        const used = units.get(target) ?? add(target, hint, unit.level + 1);
        unit.uses.push(used);
        if (sameValue) unit.sameValue.add(used);
        return {};
      },
      dangling() {},
      unchecked() {},
      isInput: unit.level === 0,
      entered(schema) {
        unit.weight += weightOf(schema);
      },
    });
  }
  return [...units.values()];
}

function weightOf(schema: Record<string, unknown>): number {
  const { enum: values } = schema;
  const enumeration = Array.isArray(values)
    ? values.reduce((sum: number, value) => sum + String(value).length + 3, 0)
    : 0;
  return WEIGHT_OF_KEYWORDS + (describeSchema(schema)?.length ?? 0) + enumeration;
}

/** A property name, a type, braces. */
const WEIGHT_OF_KEYWORDS = 50;

function readOnlyNames(
  spec: unknown,
  schema: Record<string, unknown>,
  names: Set<string>,
  seen = new Set<unknown>(),
): ReadonlySet<string> {
  seen.add(schema);
  for (const [name, property] of Object.entries(asRecord(schema["properties"]) ?? {})) {
    const isMarked = (value: unknown) => asRecord(value)?.["readOnly"] === true;
    if (isMarked(property) || isMarked(follow(spec, property))) names.add(name);
  }
  for (const branch of Array.isArray(schema["allOf"]) ? schema["allOf"] : []) {
    const target = asRecord(follow(spec, branch));
    if (target !== undefined && !seen.has(target)) readOnlyNames(spec, target, names, seen);
  }
  return names;
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** Names stand in JSON pointers, so they are kept to characters that need no escape there. */
function uniqueName(hint: string, taken: Set<string>): string {
  const plain = hint.replace(/[^A-Za-z0-9_.-]+/g, "_") || "Schema";
  let name = plain;
  for (let n = 2; taken.has(name); n += 1) name = `${plain}_${n}`;
  taken.add(name);
  return name;
}
