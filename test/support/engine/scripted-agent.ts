import type { AgentGenerateOptions, AgentLike } from "../../../src/index.js";

/** What one call of a scripted agent does: answer with a value, throw an Error, or decide by the question. */
export type Line = unknown | Error | ((args: AgentGenerateOptions) => unknown);

export interface ScriptedAgent extends AgentLike {
  readonly id: string;
  /** Every question it was asked, oldest first. */
  readonly questions: AgentGenerateOptions[];
  /** Number of start-up checks. */
  readonly preflights: number;
}

/** An agent that follows a script: call n does line n, the last line repeats. */
export function scriptedAgent(
  id: string,
  lines: readonly Line[],
  options: { native?: boolean; preflight?: () => Promise<void> } = {},
): ScriptedAgent {
  const questions: AgentGenerateOptions[] = [];
  let preflights = 0;
  return {
    id,
    questions,
    get preflights() {
      return preflights;
    },
    supportsNativeStructuredOutput: options.native ?? true,
    ...(options.preflight !== undefined && {
      async preflight() {
        preflights += 1;
        await options.preflight?.();
      },
    }),
    async generate(args: AgentGenerateOptions = {}) {
      const line = lines[Math.min(questions.length, lines.length - 1)];
      questions.push(args);
      if (line instanceof Error) throw line;
      return typeof line === "function" ? (line as (args: AgentGenerateOptions) => unknown)(args) : line;
    },
  };
}
