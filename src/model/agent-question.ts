import type { TaskPlace } from "./address.js";

/** How the schema of the answer reaches the agent: beside the prompt, or as text at its end. */
export const QUESTION_MODES = ["native", "prompted"] as const;

/** What an attempt has asked of an agent: one call of it, as the agent was given it, without secrets. */
export interface AgentQuestion extends TaskPlace {
  attempt: number;
  /** From 1, of all agents that the attempt has asked, corrections included. */
  questionNo: number;
  agentId: string;
  /** Epoch ms. */
  askedAtMs: number;
  /** 0 for the task itself, else the number of the correction. */
  schemaRetry: number;
  mode: (typeof QUESTION_MODES)[number];
  prompt: string;
  /** Bytes that were left out of the middle of the prompt. */
  leftOutBytes: number;
  /** What the agent tells its model before all else; null where it does not say. */
  instructions: string | null;
  /** JSON of what was said before, oldest first; null where nothing was, and for corrections, whose conversation is the attempt's own. */
  messagesJson: string | null;
  /** Oldest messages that were left out. */
  leftOutMessages: number;
  /** JSON Schema of the answer; null for corrections, which ask for the same, and where it is longer than what is kept. */
  schemaJson: string | null;
}

/** A question without what was said in it. */
export type QuestionHead = Pick<
  AgentQuestion,
  "attempt" | "questionNo" | "agentId" | "askedAtMs" | "schemaRetry"
>;
