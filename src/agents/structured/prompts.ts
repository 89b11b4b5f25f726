import type { ZodType } from "zod";
import { answerJsonSchema } from "./answer-schema.js";
import { proseKey } from "./prose.js";

/** Appended to a prompt when the agent cannot take the schema itself. An output of one text asks for no JSON. */
export function schemaInstructions(schema: ZodType): string {
  const key = proseKey(schema);
  if (key !== undefined) return proseInstructions(key, schema);
  return [
    "Answer with one bare JSON object and nothing else: no prose before or after it, no Markdown fence.",
    "It has to match this JSON Schema:",
    JSON.stringify(answerJsonSchema(schema), null, 2),
  ].join("\n");
}

function proseInstructions(key: string, schema: ZodType): string {
  const { properties } = answerJsonSchema(schema) as { properties: Record<string, TextRules> };
  const { description, minLength, maxLength } = properties[key] ?? {};
  return [
    `Answer with the text of "${key}" alone: it is taken as it stands, without JSON or a Markdown fence around it.`,
    ...(description === undefined ? [] : [`${key}: ${description}`]),
    ...(minLength === undefined ? [] : [`It has at least ${minLength} characters.`]),
    ...(maxLength === undefined ? [] : [`It has at most ${maxLength} characters.`]),
  ].join("\n");
}

interface TextRules {
  description?: string;
  minLength?: number;
  maxLength?: number;
}

export interface CorrectionRequest {
  /** The mismatches, one sentence each. The first 20 are sent. */
  issues: readonly string[];
  /** Quoted, for an agent that does not remember it. */
  previousAnswer?: string;
  /** The original prompt; quoted likewise. */
  task?: string;
  /** Repeated at the end, so that it never falls to the truncation of the task. */
  instructions?: string;
}

const MOST_ISSUES = 20;
/** Characters of a quoted text. The middle is left out: tasks end with what matters, answers break at the end. */
const LONGEST_ANSWER = 4_000;
const LONGEST_TASK = 12_000;

/** Asks an agent to repair an answer that did not match the schema. */
export function correctionPrompt({ issues, previousAnswer, task, instructions }: CorrectionRequest): string {
  const shown = issues.slice(0, MOST_ISSUES).map((issue) => `- ${issue}`);
  if (issues.length > MOST_ISSUES) shown.push(`- and ${issues.length - MOST_ISSUES} more`);
  const parts = ["Your previous answer could not be used:", shown.join("\n")];
  if (previousAnswer !== undefined) {
    parts.push(`The previous answer was:\n${quote(previousAnswer, LONGEST_ANSWER)}`);
  }
  if (task !== undefined) parts.push(`The task was:\n${quote(task, LONGEST_TASK)}`);
  parts.push("Give the complete, corrected answer; do not repeat work that is already done.");
  if (instructions !== undefined) parts.push(instructions);
  return parts.join("\n\n");
}

function quote(text: string, longest: number): string {
  return `<<<\n${shorten(text, longest)}\n>>>`;
}

function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`;
}
