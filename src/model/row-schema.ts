/**
 * A schema as the types of the package need it: one of zod 4, with its input and its output.
 * Zod's own classes are compared member by member, which takes minutes when the compiler meets two copies
 * of zod, and fails when they are of different minors; these two members are all it has to look at.
 */
export interface ValueSchema<Output = unknown, Input = unknown> {
  readonly _zod: { readonly output: Output; readonly input: Input };
}

/** An object schema of zod 4: `z.object(…)`. */
export interface ObjectSchema {
  readonly _zod: {
    readonly output: Record<string, unknown>;
    readonly input: Record<string, unknown>;
    readonly def: { readonly type: "object" };
  };
}

/** As `z.input`: what may be given to the schema. */
export type InputSide<S> = S extends { readonly _zod: { readonly input: infer Input } } ? Input : never;

/** As `z.output`: what comes out of the schema. */
export type OutputSide<S> = S extends { readonly _zod: { readonly output: infer Output } } ? Output : never;
