/** JSON Schema as `z.fromJSONSchema` takes it. */
export type JsonSchema = boolean | Rewritten;

export interface Rewritten {
  [keyword: string]: unknown;
}

/** The parts of the ancestor context that the rewriting of one schema needs. */
export interface SchemaVisitor {
  /**
   * Whether the schema is the whole of what a property or item has to be, rather
   * than a branch or the target of a reference, which may be a branch elsewhere.
   */
  readonly isWhole: boolean;
  /** The rewritten form of a subschema. `nested` = only a value inside this one meets it. */
  child(schema: unknown, nested: boolean): JsonSchema;
  /** The rewritten form of `{$ref}`. */
  reference(ref: string): Rewritten;
  /** Properties that only responses carry, those of `allOf` branches included. */
  readOnlyNames(schema: Record<string, unknown>): ReadonlySet<string>;
  /** Called for a keyword that is left out because it cannot be checked. */
  unchecked(keyword: string): void;
}
