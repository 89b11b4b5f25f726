import type { InputSide, ObjectSchema, OutputSide } from "./row-schema.js";

/** The schemas that `createService` takes: `input` (reserved) and one object schema per output. */
export type SchemaMap = Record<string, ObjectSchema>;

/** The keys that are outputs. */
export type OutputKeyOf<S extends SchemaMap> = Exclude<keyof S, "input"> & string;

/** The type of `ctx.input`: the input as given, so before defaults. */
export type InputOf<S extends SchemaMap> = "input" extends keyof S
  ? InputSide<S["input"]>
  : Record<string, unknown>;

/** The type of `RunResult.output`: the row of the schema key `output`, or an array of several. */
export type ResultOf<S extends SchemaMap> = string extends keyof S
  ? unknown
  : "output" extends keyof S
    ? OutputSide<S["output"]> | OutputSide<S["output"]>[]
    : undefined;

/** Address columns of a row. They are not enumerable: a row prints and compares as what the task returned. */
export interface RowAddress {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
}

/** A row as it is read, with its address. */
export type OutputRow<T = Record<string, unknown>> = T & RowAddress;

/** A generated table object; carries its schema key for type inference. */
export interface OutputTable<K extends string = string> {
  readonly $outputKey?: K;
}

/** An output, as props and ctx methods accept it: the schema object, its key, or its table. */
export type OutputTarget<S extends SchemaMap = SchemaMap> =
  | S[OutputKeyOf<S>]
  | OutputKeyOf<S>
  | OutputTable<OutputKeyOf<S>>;

/** The schema a target names. */
export type SchemaOfTarget<S extends SchemaMap, T> = T extends ObjectSchema
  ? T
  : T extends keyof S
    ? S[T]
    : T extends OutputTable<infer K>
      ? K extends keyof S
        ? S[K]
        : never
      : never;

/** The row a task stores under a target. */
export type RowOfTarget<S extends SchemaMap, T> = OutputSide<SchemaOfTarget<S, T>>;

/** The type that a task may return for a target: the schema's input side, so before defaults and transforms. */
export type ReturnOfTarget<S extends SchemaMap, T> = InputSide<SchemaOfTarget<S, T>>;
