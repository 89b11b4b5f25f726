import type { MemoryMessage } from "../../model/memory.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { MemoryOperations } from "../memory-store.js";
import { messageText } from "../message-text.js";
import { type ThreadChoice, threadsOf } from "./threads.js";
import type { MemoryProcessor } from "./processor.js";

/** How long conversations may get. */
export interface TokenLimiterOptions extends ThreadChoice {
  /** Tokens of a thread that are kept at most, four characters each; the newest messages. */
  maxTokens: number;
}

const RULES = {
  maxTokens: rules.required(rules.wholeNumber),
  threadId: rules.name,
  namespace: rules.anything,
} satisfies rules.OptionRules<TokenLimiterOptions>;

const CHARACTERS_PER_TOKEN = 4;

/**
 * Takes the oldest messages of each thread away until what is left is short enough.
 * @throws INVALID_INPUT
 */
export function tokenLimiter(options: TokenLimiterOptions): MemoryProcessor {
  checkOptions("tokenLimiter", options, RULES);
  const most = options.maxTokens * CHARACTERS_PER_TOKEN;
  return {
    name: "token-limiter",
    async process(store) {
      let removed = 0;
      for (const threadId of await threadsOf(store, options)) removed += await shorten(store, threadId, most);
      return removed;
    },
  };
}

async function shorten(store: MemoryOperations, threadId: string, most: number): Promise<number> {
  const surplus = olderThan(await store.listMessages(threadId), most).map(({ id }) => id);
  // False: another process shortens it at the same time.
  return surplus.length > 0 && (await store.replaceMessages(threadId, surplus)) ? surplus.length : 0;
}

/** Messages before the newest that have no more characters than these together. */
function olderThan(messages: readonly MemoryMessage[], most: number): readonly MemoryMessage[] {
  let left = most;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    left -= messageText(messages[at] as MemoryMessage).length;
    if (left < 0) return messages.slice(0, at + 1);
  }
  return [];
}
