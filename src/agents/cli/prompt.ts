import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions } from "../../model/agent.js";
import { contentText } from "./json-fields.js";
import { isRecord } from "../../util/is-record.js";

/**
 * The one text that a command-line tool takes: the prompt, or the conversation written out with the prompt at its end.
 * @throws INVALID_INPUT when both are empty
 */
export function promptOf(args: AgentGenerateOptions, agentId: string): string {
  const { prompt = "", messages = [] } = args;
  const said = messages.filter(isRecord).map((message) => ({
    role: typeof message["role"] === "string" ? message["role"] : "user",
    text: contentText(message["content"]),
  }));
  const turns = [...said, { role: "user", text: prompt }];
  const [first, ...rest] = turns.filter(({ text }) => text.trim() !== "");
  if (first === undefined) {
    throw new ServiceError(
      "INVALID_INPUT",
      `Agent "${agentId}" was called with neither a prompt nor messages.`,
    );
  }
  if (rest.length === 0) return first.text;
  return [first, ...rest].map(({ role, text }) => `${role.toUpperCase()}:\n${text}`).join("\n\n");
}

/** A prompt for tools without a flag for a system prompt. */
export function withContext(prompt: string, context: readonly (string | undefined)[]): string {
  return [...context.filter((part) => part !== undefined && part.trim() !== ""), prompt].join("\n\n");
}

/** Linux takes at most 128 KiB in one argument. */
const LONGEST_ARGUMENT_BYTES = 120_000;

/**
 * A prompt for tools that read it from their arguments only: one that is long, or holds the character that ends every
 * argument, is left in a file for the agent to read.
 */
export async function promptArgument(
  prompt: string,
  write: (name: string, text: string) => Promise<string>,
): Promise<string> {
  if (Buffer.byteLength(prompt) <= LONGEST_ARGUMENT_BYTES && !prompt.includes("\0")) return prompt;
  const path = await write("prompt.md", prompt);
  return `Your task does not fit into this line. Read all of the file ${path} and do what it says.`;
}
