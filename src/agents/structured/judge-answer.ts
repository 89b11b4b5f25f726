import type { ZodObject, z } from "zod";
import { type AnswerValidation, validateAnswer } from "./answer-schema.js";
import { extractJson } from "./extract-json.js";
import { type AgentResultReading, ENVELOPE_KEYS } from "./read-agent-result.js";

/** The row in an agent's answer, or what keeps it from being one. */
export async function judgeAnswer<S extends ZodObject>(
  schema: S,
  reading: AgentResultReading,
): Promise<AnswerValidation<z.output<S>>> {
  const found = findAnswer(reading);
  const verdict: AnswerValidation<z.output<S>> =
    found === undefined
      ? { ok: false, issues: [nothingFound(reading)] }
      : await validateAnswer(schema, found);
  const { plain } = reading;
  if (verdict.ok || plain === undefined || plain === found) return verdict;
  // A row with a column named text, output or steps looks like an envelope: the schema tells.
  const declared = ENVELOPE_KEYS.every((key) => !(key in plain) || key in schema.shape);
  const whole: AnswerValidation<z.output<S>> = declared ? await validateAnswer(schema, plain) : verdict;
  return whole.ok ? whole : verdict;
}

/** The answer as text; the JSON of its value when it had no text. */
export function answerText(reading: AgentResultReading): string {
  if (reading.text !== undefined) return reading.text;
  if (typeof reading.output === "string") return reading.output;
  return reading.output === undefined ? "" : (JSON.stringify(reading.output) ?? "");
}

/** The first of: value, final text, step texts from the last to the first. */
function findAnswer(reading: AgentResultReading): unknown {
  if (typeof reading.output === "object" && reading.output !== null) return reading.output;
  const texts = [reading.output, reading.text, ...reading.texts.toReversed()];
  for (const text of texts) {
    const found = typeof text === "string" ? extractJson(text) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function nothingFound(reading: AgentResultReading): string {
  if (reading.cutOff === true)
    return "The answer was cut off at the limit of output tokens: make it shorter.";
  return answerText(reading).trim() === ""
    ? "The answer is empty."
    : "The answer holds no complete JSON object.";
}
