import type { ZodType } from "zod";
import { answerJsonSchema } from "../../agents/structured/answer-schema.js";
import type { AgentAsk } from "../../agents/structured/generate-structured.js";
import type { AgentQuestion } from "../../model/agent-question.js";
import type { AgentLike } from "../../model/agent.js";
import { agentIdOf } from "../../model/agent-name.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import { truncateUtf8, utf8Length } from "../../util/bounded-text.js";
import { withoutSecrets } from "../attempt/without-secrets.js";
import type { RunnerContext } from "../ports.js";

/** A call of an agent as the run keeps it: of prompt, instructions, messages and schema each as much as of a task's output. */
export function askedQuestion(
  { job, services }: Pick<RunnerContext, "job" | "services">,
  about: { agent: AgentLike; schema: ZodType; ask: AgentAsk; questionNo: number },
): AgentQuestion {
  const { agent, schema, ask, questionNo } = about;
  const { nodeId, iteration, attempt, config } = job;
  const most = config.maxOutputBytes ?? RUN_DEFAULTS.maxOutputBytes;
  const isCorrection = ask.schemaRetry > 0;
  const prompt = withoutMiddle(withoutSecrets(ask.prompt), most);
  const said = isCorrection ? null : newest(ask.messages ?? [], most);
  const { instructions } = agent;
  return {
    nodeId,
    iteration,
    attempt,
    questionNo,
    agentId: agentIdOf(agent),
    askedAtMs: services.clock.now(),
    schemaRetry: ask.schemaRetry,
    mode: agent.supportsNativeStructuredOutput === true ? "native" : "prompted",
    prompt: prompt.text,
    leftOutBytes: prompt.leftOutBytes,
    instructions:
      typeof instructions === "string" ? withoutMiddle(withoutSecrets(instructions), most).text : null,
    messagesJson: said?.json ?? null,
    leftOutMessages: said?.leftOut ?? 0,
    schemaJson: isCorrection ? null : fitting(schemaText(schema), most),
  };
}

/** Prompts end with what matters most, and begin with what they are about. */
function withoutMiddle(text: string, most: number): { text: string; leftOutBytes: number } {
  const size = utf8Length(text);
  if (size <= most) return { text, leftOutBytes: 0 };
  const head = truncateUtf8(text, Math.floor(most / 2)).text;
  const bytes = Buffer.from(text, "utf8");
  let from = size - Math.floor(most / 2);
  // 10xxxxxx continues a character that began before.
  while (from < size && ((bytes[from] as number) & 0xc0) === 0x80) from += 1;
  const leftOutBytes = from - utf8Length(head);
  const tail = bytes.subarray(from).toString("utf8");
  return { text: `${head}\n[… ${leftOutBytes} bytes left out …]\n${tail}`, leftOutBytes };
}

/** As many of the last messages as fit. */
function newest(messages: readonly unknown[], most: number): { json: string | null; leftOut: number } {
  const kept: string[] = [];
  let room = most;
  for (const message of [...messages].reverse()) {
    const json = messageText(message);
    room -= utf8Length(json) + 1;
    if (room < 0) break;
    kept.unshift(json);
  }
  return {
    json: messages.length === 0 ? null : `[${kept.join(",")}]`,
    leftOut: messages.length - kept.length,
  };
}

/** Pictures and other bytes are named, not kept. */
function messageText(message: unknown): string {
  const shown = (_name: string, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return ArrayBuffer.isView(value) ? `[${value.byteLength} bytes]` : value;
  };
  return withoutSecrets(JSON.stringify(message, shown) ?? "null");
}

const texts = new WeakMap<ZodType, string>();

/** Tasks of a workflow share their schemas. */
function schemaText(schema: ZodType): string {
  let text = texts.get(schema);
  if (text === undefined) {
    text = JSON.stringify(answerJsonSchema(schema));
    texts.set(schema, text);
  }
  return text;
}

function fitting(text: string, most: number): string | null {
  return utf8Length(text) <= most ? text : null;
}
