import type { OutputSide } from "../../model/row-schema.js";
import type { SchemaMap, SchemaOfTarget } from "../../model/schema.js";

/** Names of the fields that rows lack, or hold as something else. Nothing is known of a loose schema. */
export type MissingFields<Row, Fields> = string extends keyof Row
  ? never
  : { [K in keyof Fields & string]: Holds<Row, K, Fields[K]> extends true ? never : K }[keyof Fields &
      string];

type Holds<Row, K, Value> = K extends keyof Row
  ? unknown extends Row[K]
    ? true
    : [Row[K]] extends [Value]
      ? true
      : false
  : undefined extends Value
    ? true
    : false;

/**
 * Nothing for an output whose rows have the fields that a composite reads; otherwise a type that no target
 * has, with the names of those that are missing or of another type.
 *
 * @example
 * <const T extends OutputTarget<S>>(props: PollerProps<S, T & HoldsFields<S, T, { satisfied: boolean }>>) => …
 */
export type HoldsFields<S extends SchemaMap, T, Fields> = [
  MissingFields<OutputSide<SchemaOfTarget<S, T>>, Fields>,
] extends [never]
  ? unknown
  : { readonly "fields that the composite reads": MissingFields<OutputSide<SchemaOfTarget<S, T>>, Fields> };
