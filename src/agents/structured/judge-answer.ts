import type { ZodObject, z } from "zod";
import { type AnswerValidation, validateAnswer } from "./answer-schema.js";
import { extractJson, isTooMuchJson } from "./extract-json.js";
import { holdsTooManyMembers, JSON_LIMITS } from "../../util/json-members.js";
import { looksLikeJson, proseKey } from "./prose.js";
import { type AgentResultReading, ENVELOPE_KEYS, METADATA_KEYS } from "./read-agent-result.js";

/** The row in an agent's answer, or what keeps it from being one. `mayBeProse`: no JSON was asked for. */
export async function judgeAnswer<S extends ZodObject>(
  schema: S,
  reading: AgentResultReading,
  { mayBeProse }: { mayBeProse: boolean },
): Promise<AnswerValidation<z.output<S>>> {
  if (reading.cutOff === true && !isObject(reading.output)) return refused(CUT_OFF);
  if (holdsTooManyMembers(reading.output)) return refused(TOO_MUCH);
  const found = findAnswer(reading);
  const verdict = found === undefined ? refused(nothingFound(reading)) : await validateAnswer(schema, found);
  const { plain } = reading;
  if (verdict.ok) return verdict;
  if (plain !== undefined && plain !== found && isRowItself(plain, schema)) {
    const whole = await validateAnswer(schema, plain);
    if (whole.ok) return whole;
  }
  const key = mayBeProse ? proseKey(schema) : undefined;
  const text = answerText(reading).trim();
  if (key === undefined || isObject(reading.output) || text === "" || looksLikeJson(text)) return verdict;
  return validateAnswer(schema, { [key]: text });
}

/** The answer as text; the JSON of its value when it had no text. */
export function answerText(reading: AgentResultReading): string {
  if (reading.text !== undefined) return reading.text;
  if (typeof reading.output === "string") return reading.output;
  if (holdsTooManyMembers(reading.output)) return "";
  return reading.output === undefined ? "" : (JSON.stringify(reading.output) ?? "");
}

/**
 * Whether an object with a member named text, output or steps is a row rather than what stands around an answer: the
 * schema declares that member and another one of it, or there is nothing but a text in either.
 */
function isRowItself(plain: Record<string, unknown>, schema: ZodObject): boolean {
  const isDeclared = (key: string) => key in schema.shape;
  if (!ENVELOPE_KEYS.every((key) => !(key in plain) || isDeclared(key))) return false;
  const members = Object.keys(plain).filter((key) => isDeclared(key) && !METADATA_KEYS.has(key));
  const [only, another] = members;
  if (only === undefined || another !== undefined) return another !== undefined;
  const value = plain[only];
  if (typeof value !== "string") return true;
  const isAlone = Object.keys(schema.shape).length === 1 && Object.keys(plain).length === 1;
  return isAlone && value.trim() !== "" && !looksLikeJson(value);
}

/** The first of: value, final text, step texts from the last to the first. */
function findAnswer(reading: AgentResultReading): unknown {
  if (isObject(reading.output)) return reading.output;
  const texts = [reading.output, reading.text, ...reading.texts.toReversed()];
  for (const text of texts) {
    const found = typeof text === "string" ? extractJson(text) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const CUT_OFF = "The answer was cut off at the limit of output tokens: make it shorter.";

const TOO_MUCH = `The answer is too large to be read: it has more than ${JSON_LIMITS}, or than 8 MiB of text.`;

function nothingFound(reading: AgentResultReading): string {
  const text = answerText(reading).trim();
  if (text === "") return "The answer is empty.";
  return isTooMuchJson(text) ? TOO_MUCH : "The answer holds no complete JSON object.";
}

function refused(issue: string): { ok: false; issues: string[] } {
  return { ok: false, issues: [issue] };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
