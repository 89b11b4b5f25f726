import { answerText } from "../../agents/structured/judge-answer.js";
import { readAgentResult } from "../../agents/structured/read-agent-result.js";
import { ServiceError } from "../../errors/service-error.js";
import { type AgentInput, type AgentLike, isAgent } from "../../model/agent.js";
import type { MemoryMessage } from "../../model/memory.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { MemoryOperations } from "../memory-store.js";
import { messageText } from "../message-text.js";
import type { MemoryProcessor } from "./processor.js";
import { type ThreadChoice, threadsOf } from "./threads.js";

/** Who sums conversations up, and when. */
export interface SummarizerOptions extends ThreadChoice {
  /** Who sums up. */
  agent: AgentInput;
  /** The newest messages, which stay as they are. @default 2 */
  keep?: number;
  /** Messages from which on a thread is summed up. @default two more than `keep` */
  from?: number;
}

const RULES = {
  agent: rules.required(rules.checked("an agent (an object with generate())", isAgent)),
  keep: rules.withDefault(rules.wholeNumber, 2),
  from: rules.positiveInteger,
  threadId: rules.name,
  namespace: rules.anything,
} satisfies rules.OptionRules<SummarizerOptions>;

/**
 * Puts a summary by an agent, a system message, in the place of all but the newest messages of each long thread. The
 * summary and what it stands for change places at once, or not at all.
 * @throws INVALID_INPUT
 */
export function summarizer(options: SummarizerOptions): MemoryProcessor {
  const { keep, from = keep + 2 } = checkOptions("summarizer", options, RULES);
  const agent = options.agent as AgentLike;
  return {
    name: "summarizer",
    async process(store) {
      let removed = 0;
      for (const threadId of await threadsOf(store, options)) {
        const messages = await store.listMessages(threadId);
        if (messages.length < from) continue;
        const old = messages.slice(0, messages.length - keep);
        // One message is as short as its summary.
        if (old.length > 1) removed += await sumUp(store, { agent, threadId, old });
      }
      return removed;
    },
  };
}

async function sumUp(
  store: MemoryOperations,
  { agent, threadId, old }: { agent: AgentLike; threadId: string; old: readonly MemoryMessage[] },
): Promise<number> {
  const said = old.map((message) => `${message.role.toUpperCase()}:\n${messageText(message)}`).join("\n\n");
  const result = await agent.generate({
    prompt: `Sum up this conversation for its next reader: facts, decisions, open questions. Answer with the summary only.\n\n${said}`,
  });
  const text = answerText(readAgentResult(result)).trim();
  if (text === "") {
    throw new ServiceError("INVALID_OUTPUT", `The agent has summed thread "${threadId}" up in no words.`, {
      details: { threadId },
    });
  }
  const by = { role: "system", contentJson: JSON.stringify(`Summary of what was said before:\n${text}`) };
  const ids = old.map(({ id }) => id);
  return (await store.replaceMessages(threadId, ids, by)) ? ids.length - 1 : 0;
}
