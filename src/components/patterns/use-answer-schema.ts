import { useMemo } from "react";
import type { ZodObject } from "zod";
import type { OutputTarget } from "../../model/schema.js";
import { useRenderPlace } from "../render-place.js";
import type { NeededField } from "./read-field.js";

type Row = Readonly<Record<string, unknown>>;

/** A problem that a composite could not continue with. */
export interface AnswerProblem {
  readonly field: string;
  readonly message: string;
}

/** Prop `outputSchema` for a task; nothing where the output's own schema says it all. */
export interface AnswerSchema {
  outputSchema?: ZodObject;
}

/**
 * The schema of an output that also refuses rows which the composite cannot continue with, so that an agent hears of it
 * and can correct its answer: once stored, such a row would fail every frame.
 * @param about says what `problemsOf` depends on; the schema is made anew when it changes
 */
export function useAnswerSchema(
  target: OutputTarget,
  about: string,
  problemsOf: (row: Row) => readonly AnswerProblem[],
): AnswerSchema {
  const schema = useRenderPlace("useAnswerSchema()").schemaOf(target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` stands for the function
  return useMemo(() => {
    if (schema === undefined) return {};
    const outputSchema = schema.superRefine((row, context) => {
      for (const { field, message } of problemsOf(row)) {
        context.addIssue({ code: "custom", path: [field], message });
      }
    });
    return { outputSchema };
  }, [schema, about]);
}

/** The same for one field, which depends on the row where that is given as a function. */
export function useNeededField(
  target: OutputTarget,
  needed: NeededField<unknown> | ((row: Row) => NeededField<unknown>),
): AnswerSchema {
  const about = typeof needed === "function" ? needed.name : `${needed.field}: ${needed.expected}`;
  return useAnswerSchema(target, about, (row) => {
    const { field, expected, fits } = typeof needed === "function" ? needed(row) : needed;
    return fits(row[field]) ? [] : [{ field, message: `expected ${expected}` }];
  });
}
