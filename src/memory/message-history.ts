import { DEFAULT_LAST_MESSAGES, type MemoryMessage, type MessageHistoryConfig } from "../model/memory.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { sentJson } from "../options/sent-json.js";
import { LARGEST_MEMORY_VALUE } from "./checked.js";

/** A message in the form of the AI SDK. */
export interface HistoryMessage {
  /** Such as `user`, `assistant` or `system`. */
  role: string;
  /** A text, or the parts of a message. */
  content: unknown;
}

/** A conversation as agents take it: `messages` of `generate`. */
export interface MessageHistory {
  readonly threadId: string;
  /** The newest messages, oldest first. */
  load(): Promise<HistoryMessage[]>;
  /** Adds messages, in this order. */
  append(...messages: readonly HistoryMessage[]): Promise<void>;
}

/** The part of a store that a conversation uses. */
interface MessageSource {
  listMessages(threadId: string, limit?: number): Promise<MemoryMessage[]>;
  saveMessage(message: { threadId: string; role: string; contentJson: string }): Promise<unknown>;
}

const RULES = {
  lastMessages: rules.withDefault(rules.wholeNumber, DEFAULT_LAST_MESSAGES),
  threadId: rules.required(rules.name),
} satisfies rules.OptionRules<MessageHistoryConfig>;

type CheckedHistory = Required<MessageHistoryConfig>;

/** @throws INVALID_INPUT without a `threadId` */
export function messageHistory(store: MessageSource, config: MessageHistoryConfig): MessageHistory {
  const { threadId, lastMessages } = checkOptions("messageHistory", config, RULES) as CheckedHistory;
  return {
    threadId,
    load: async () => (await store.listMessages(threadId, lastMessages)).map(historyMessage),
    async append(...messages) {
      for (const { role, content } of messages) {
        await store.saveMessage({ threadId, role, contentJson: contentJson(content, threadId) });
      }
    },
  };
}

export function historyMessage({ role, contentJson }: MemoryMessage): HistoryMessage {
  return { role, content: JSON.parse(contentJson) as unknown };
}

/** @throws INVALID_INPUT for what JSON would lose, and for what is too large */
export function contentJson(content: unknown, threadId: string): string {
  const subject = `A message of thread ${threadId}`;
  return JSON.stringify(
    sentJson(content, { subject, limitBytes: LARGEST_MEMORY_VALUE, details: { threadId } }),
  );
}
