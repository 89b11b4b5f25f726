import type { InputSide } from "../../model/row-schema.js";
import type { SchemaMap, SchemaOfTarget } from "../../model/schema.js";

/** The kind of answer that an Approval asks for. */
export type AskMode = "approve" | "select" | "rank";

/** The rows that decisions become; an output may have a part of one. */
interface DecisionRows {
  approve: { approved: boolean; note: string | null; decidedBy: string | null; decidedAt: string | null };
  select: { selected: string; notes: string | null };
  rank: { ranked: readonly string[]; notes: string | null };
}

/** The field that says what was decided. */
interface Verdicts {
  approve: "approved";
  select: "selected";
  rank: "ranked";
}

/** Whether a field of an output takes `Value`: a narrower text or list does, as options are known by the author. */
type Takes<Field, Value> = Value extends null
  ? null extends Field
    ? true
    : false
  : unknown extends Field
    ? true
    : [Extract<Field, Kind<Value>>] extends [never]
      ? false
      : true;

type Kind<Value> = Value extends string ? string : Value extends boolean ? boolean : readonly unknown[];

/** Fields of an output that no decision fits. */
type Mismatches<Input, Row> = {
  [K in keyof Input & keyof Row]: false extends Takes<Input[K], Row[K]> ? K : never;
}[keyof Input & keyof Row];

/** Fields that an output needs and no decision has. */
type UnknownKeys<Input, Row> = {
  [K in Exclude<keyof Input, keyof Row>]-?: undefined extends Input[K] ? never : K;
}[Exclude<keyof Input, keyof Row>];

type Missing<Input, M extends AskMode> = Verdicts[M] extends keyof Input ? never : Verdicts[M];

/** Nothing is known of a loose schema, nor of a mode that is decided while rendering. */
type Problem<Input, M extends AskMode> = string extends keyof Input
  ? never
  : AskMode extends M
    ? never
    : Mismatches<Input, DecisionRows[M]> | UnknownKeys<Input, DecisionRows[M]> | Missing<Input, M>;

/**
 * Nothing for an output that can hold the decision of a mode; otherwise a type
 * that no target has, with the fields that do not fit in it.
 */
export type HoldsDecision<S extends SchemaMap, T, M extends AskMode> = [
  Problem<InputSide<SchemaOfTarget<S, T>>, M>,
] extends [never]
  ? unknown
  : { readonly "fields that do not fit the decision": Problem<InputSide<SchemaOfTarget<S, T>>, M> };
