import type { PromptView } from "../../operations/index.js";
import { jsonText } from "./json-text.js";
import type { Colors } from "./styles.js";
import { agoText } from "./times.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** What a task has asked its agent, for a terminal. */
export function questionText({ nodeId, attempt, questions, question }: PromptView, colors: Colors): string {
  const name = colors.bold(visibleLine(nodeId));
  if (question === null) {
    const which = attempt === null ? "of this task" : `of attempt ${attempt}`;
    return `${name} ${colors.dim(`no question to an agent is kept ${which}`)}`;
  }
  const { agentId, askedAtMs, schemaRetry, mode, instructions, messages, leftOutMessages, schema } = question;
  const facts = [
    `attempt ${question.attempt}`,
    `question ${question.questionNo} of ${questions.length}`,
    schemaRetry > 0 && `correction ${schemaRetry}`,
    agentId,
    agoText(askedAtMs, Date.now()),
  ].filter(Boolean);
  const part = (title: string, text: string) => ["", colors.dim(title), visibleText(text)];
  const lines = [`${name} ${colors.dim(visibleLine(facts.join(", ")))}`];
  if (instructions !== null) lines.push(...part("Instructions", instructions));
  if (messages !== null) {
    const left = leftOutMessages > 0 ? `, without the first ${leftOutMessages}` : "";
    lines.push(...part(`Said before${left}`, jsonText(messages)));
  }
  lines.push(...part("Prompt", question.prompt));
  // A prompted schema stands at the end of the prompt.
  if (schema !== null && mode === "native") lines.push(...part("Schema of the answer", jsonText(schema)));
  return lines.join("\n");
}
