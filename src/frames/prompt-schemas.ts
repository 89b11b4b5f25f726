import type { ZodType } from "zod";
import { type AnswerSchema, renderableSchema, type SchemaOfTask } from "../../jsx-runtime/prompt-schema.js";
import { answerJsonSchema } from "../agents/structured/answer-schema.js";
import type { OutputRegistry } from "../model/render-runtime.js";

/** The answer schemas of a workflow's tasks; a target that is no output of it is reported when its task is read. */
export function promptSchemas(registry: OutputRegistry): SchemaOfTask {
  const known = new WeakMap<ZodType, AnswerSchema>();
  return ({ output, outputSchema }) => {
    const schema = outputSchema ?? registry.resolveOutput(output)?.zodSchema ?? output;
    if (!isSchema(schema)) return undefined;
    const answer = known.get(schema) ?? renderableSchema(answerJsonSchema(schema));
    known.set(schema, answer);
    return answer;
  };
}

function isSchema(value: unknown): value is ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
