import type { InputSide } from "../../model/row-schema.js";
import type { SchemaMap, SchemaOfTarget } from "../../model/schema.js";

/**
 * Nothing for an output that can take the rows which a composite writes; otherwise a type that no target has,
 * with such a row in it. Fields of the row that the output does not have are left out when it is stored.
 */
export type TakesRow<S extends SchemaMap, T, Row> = string extends keyof InputSide<SchemaOfTarget<S, T>>
  ? unknown
  : Row extends InputSide<SchemaOfTarget<S, T>>
    ? unknown
    : { readonly "the row that the composite writes": Row };
