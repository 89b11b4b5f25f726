import type { ZodType } from "zod";
import { ServiceError } from "../errors/service-error.js";
import type { AgentGenerateOptions, AgentLike } from "../model/agent.js";

/** A call as the mock sees it. */
export interface MockCall {
  nodeId: string;
  iteration: number;
  /** 1 for the first attempt of the task. */
  attempt: number;
  prompt: string;
  /** The conversation before it, for a task with `memory.threadId` or `fork`; absent without one. */
  messages?: unknown[];
}

type Answer = Record<string, unknown>;

/**
 * A mock's behaviour: one row for every call, a list of rows for one call after
 * the other (the last repeats), or a function of the call.
 */
export type MockAgent = Answer | readonly Answer[] | ((call: MockCall) => Answer | Promise<Answer>);

/**
 * The agent of a mock. An answer that does not fit the task's schema fails the
 * task at once: a mock that lies proves nothing.
 */
export function toAgent(nodeId: string, mock: MockAgent, calls: MockCall[]): AgentLike {
  return {
    id: `mock:${nodeId}`,
    supportsNativeStructuredOutput: true,
    async generate(args: AgentGenerateOptions = {}) {
      const { prompt = "", messages = [] } = args;
      const call: MockCall = {
        nodeId,
        iteration: args.taskContext?.iteration ?? 0,
        attempt: args.taskContext?.attempt ?? 1,
        prompt,
        ...(messages.length > 0 && { messages }),
      };
      const earlier = calls.filter((known) => known.nodeId === nodeId).length;
      calls.push(call);
      const answer = await answerOf(mock, call, earlier);
      await check(nodeId, answer, args.outputSchema);
      return { output: answer };
    },
  };
}

function answerOf(mock: MockAgent, call: MockCall, earlier: number): Answer | Promise<Answer> {
  if (typeof mock === "function") return mock(call);
  if (!Array.isArray(mock)) return mock as Answer;
  return mock[Math.min(earlier, mock.length - 1)] as Answer;
}

async function check(nodeId: string, answer: unknown, schema: ZodType | undefined): Promise<void> {
  const parsed = await schema?.safeParseAsync(answer);
  if (parsed === undefined || parsed.success) return;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "(row)"}: ${issue.message}`);
  throw new ServiceError(
    "INVALID_OUTPUT",
    `The mock for ${nodeId} answered a row that its task's schema refuses: ${issues.join("; ")}.`,
    { details: { nodeId, issues }, retryable: false },
  );
}
