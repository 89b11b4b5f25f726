import type { GivenFact } from "../../engine/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentQuestion, QuestionHead } from "../../model/agent-question.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";

/** Which question of a task. */
export interface PromptRequest {
  runId: string;
  nodeId: string;
  /** From 0; of a task in a loop. @default its newest */
  iteration?: number;
  /** @default the newest that has asked an agent */
  attempt?: number;
  /** From 1, within the attempt. @default the first, which is the task itself */
  question?: number;
}

/** A question as its agent was given it. */
export interface AskedQuestion extends Omit<AgentQuestion, "messagesJson" | "schemaJson"> {
  /** What was said before it, oldest first; null where nothing was, and for corrections. */
  messages: unknown[] | null;
  /** JSON Schema of the answer; null for corrections, and where it was too long to be kept. */
  schema: Record<string, unknown> | null;
}

/** What an attempt has asked its agents. */
export interface PromptView {
  nodeId: string;
  iteration: number;
  /** Null where no attempt has asked an agent, or none of it was kept. */
  attempt: number | null;
  /** All questions of the attempt, oldest first: the task, corrections, the same to further agents. */
  questions: QuestionHead[];
  /** The one that was asked for; null where there is none. */
  question: AskedQuestion | null;
  /** A person has written it in the place of the task's own: who; null for the task's own. */
  edited: { by: string | null } | null;
  /** Facts that the prompt has from memory. */
  recalled: GivenFact[];
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.wholeNumber,
  attempt: rules.positiveInteger,
  question: rules.positiveInteger,
} satisfies rules.OptionRules<PromptRequest>;

/**
 * Reads what an attempt of a task has asked its agent, one question at a time.
 * @throws RUN_NOT_FOUND; NODE_NOT_FOUND, also for an attempt or a question that there is not
 */
export async function getPrompt(target: OperationTarget, request: PromptRequest): Promise<PromptView> {
  const { runId, nodeId, iteration, attempt, question: wanted } = checkOptions("getPrompt", request, RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  const node = await store.getNode(runId, nodeId, iteration);
  const missing = (what: string) =>
    new ServiceError("NODE_NOT_FOUND", `Run ${runId} has no ${what}.`, {
      details: { runId, nodeId, iteration, attempt, question: wanted },
    });
  if (node === undefined) {
    throw missing(`node ${nodeId}${iteration === undefined ? "" : ` at iteration ${iteration}`}`);
  }
  const attempts = await store.listAttempts(runId, node.nodeId, node.iteration);
  if (attempt !== undefined && !attempts.some((row) => row.attempt === attempt)) {
    throw missing(`attempt ${attempt} of node ${nodeId}; its newest is ${node.lastAttempt}`);
  }
  const at = { nodeId: node.nodeId, iteration: node.iteration };
  const questions = await store.listQuestions(runId, { ...at, attempt });
  const head = questions[(wanted ?? 1) - 1];
  if (wanted !== undefined && head === undefined) {
    throw missing(`question ${wanted} of node ${nodeId}: that attempt has asked ${questions.length}`);
  }
  if (head === undefined)
    return { ...at, attempt: attempt ?? null, questions, question: null, edited: null, recalled: [] };
  const stored = await store.getQuestion(runId, { ...at, ...head });
  const meta = attempts.find((row) => row.attempt === head.attempt)?.meta;
  return {
    ...at,
    attempt: head.attempt,
    questions,
    question: stored === undefined ? null : shown(stored),
    edited: meta?.editedPrompt ?? null,
    recalled: (meta?.["recalled"] as GivenFact[] | undefined) ?? [],
  };
}

function shown({ messagesJson, schemaJson, ...question }: AgentQuestion): AskedQuestion {
  return {
    ...question,
    messages: messagesJson === null ? null : (JSON.parse(messagesJson) as unknown[]),
    schema: schemaJson === null ? null : (JSON.parse(schemaJson) as Record<string, unknown>),
  };
}
