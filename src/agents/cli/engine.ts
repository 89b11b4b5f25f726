import type { ZodType } from "zod";
import type {
  AgentCapabilityRegistry,
  AgentEngine,
  AgentTaskContext,
  TokenUsage,
} from "../../model/agent.js";
import type { CallFiles } from "./call-files.js";
import type { FailureKind, FailurePattern } from "./failure-patterns.js";
import type { OptionTable, SessionChoice } from "./option-table.js";
import type { BaseCliAgentOptions } from "./options.js";
import type { Transcript } from "./transcript.js";

/** One JSON object of a tool's output. */
export type JsonLine = Readonly<Record<string, unknown>>;

/**
 * The particulars of one command-line tool: how options become arguments, how its output reads, how
 * it fails. Everything else is shared.
 */
export interface CliEngine<O extends BaseCliAgentOptions = BaseCliAgentOptions> {
  readonly engine: AgentEngine;
  /** As people call it. */
  readonly title: string;
  readonly command: string;
  /** How to get the command, as a sentence. */
  readonly install: string;
  /** Version of the tool, and how this mapping was checked against it. */
  readonly checkedAgainst: string;
  readonly capabilities: AgentCapabilityRegistry;
  readonly options: OptionTable<O>;
  /** Flag for the model; null when `prepare` passes it otherwise. */
  readonly modelFlag: string | null;
  /** Arguments of the most permissive mode. */
  readonly yoloArgs: readonly string[];
  readonly session: EngineSessions;
  /** Whether `systemPrompt` and `instructions` are put before the prompt, or `prepare` passes them. */
  readonly context: "in-prompt" | "prepared";
  /** Refuses options that contradict each other. */
  check?(options: O): void;
  prepare(call: CliCall<O>, ask: AskTool): Invocation | Promise<Invocation>;
  createParser(call: CliCall<O>): CliParser;
  /** Whether output without a closing message of the tool means that it broke off. */
  readonly saysItsEnd: boolean;
  /** Wordings and exit codes of its own. */
  readonly failures?: readonly FailurePattern[];
  readonly exitKinds?: Readonly<Record<number, FailureKind>>;
  /** Variables that the tool must not inherit. */
  readonly unsetEnv?: readonly string[];
  /**
   * For a tool whose tokens count the whole conversation rather than the call: the total that it has kept of one.
   * Undefined where it has none.
   */
  conversationTokens?(place: AuthPlace, sessionId: string): Promise<TokenUsage | undefined>;
  /** Fetches what the tool does not print: the id of the conversation, the plain answer. */
  afterRun?(run: FinishedRun<O>): Promise<void>;
  /** Says what is wrong with this version, as a sentence; undefined when nothing is known to be. */
  checkVersion?(printed: string): string | undefined;
  readonly authCheck?: AuthCheck<O>;
  /** Lets the agent use these of its tools only; absent when the tool has no such limit. */
  readonly toolLimit?: ToolLimit<O>;
  /** Whether the tool itself makes the answer match a call's `outputSchema`. */
  hasNativeOutput?(options: O): boolean;
  /** How to open a conversation in a terminal; absent when the tool cannot hand one over. */
  openSession?(
    sessionId: string,
    place: SessionPlace<O>,
  ): { args: readonly string[]; env?: Record<string, string> };
}

/** Asks for the tool's output for these arguments, with variables on top of the call's; undefined when it fails. */
export type AskTool = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<string | undefined>;

/** A run that has ended well. */
export interface FinishedRun<O extends BaseCliAgentOptions> {
  readonly call: CliCall<O>;
  readonly transcript: Transcript;
  readonly ask: AskTool;
}

/** The options that decide where a tool keeps the conversations of an agent. */
export type SessionPlace<O extends BaseCliAgentOptions> = Pick<
  CliCall<O>,
  "options" | "env" | "taskContext" | "instanceId"
>;

export interface ToolLimit<O extends BaseCliAgentOptions> {
  /** The tools that the agent's options name. */
  chosen(options: O): readonly string[] | undefined;
  /** Options that allow these tools and no others. */
  apply(options: O, tools: readonly string[]): O;
}

export interface EngineSessions {
  resume(id: string): readonly string[];
  /** Continues a conversation in a new one and leaves it as it is; absent when the tool cannot. Without arguments: `prepare` sees to it. */
  fork?(id: string): readonly string[];
  new?(id: string): readonly string[];
  readonly continue?: readonly string[];
  /** Whether we choose the id of a new conversation, because the tool does not tell its own. */
  readonly assignsId?: boolean;
  /** Where the arguments stand. @default "flags" */
  readonly place?: "flags" | "own";
}

export interface AuthPlace {
  env: Readonly<Record<string, string>>;
  cwd: string;
}

/** A cheap question to the tool: is a user signed in? */
export interface AuthCheck<O extends BaseCliAgentOptions> {
  readonly args: readonly string[];
  /** False when options, variables or configuration bring credentials that the question does not know of. */
  applies(options: O, place: AuthPlace): boolean;
  /** Whether the answer means that none is. */
  isMissing(answer: { exitCode: number | null; output: string }): boolean;
}

/** One generation, with everything resolved. */
export interface CliCall<O extends BaseCliAgentOptions = BaseCliAgentOptions> {
  readonly options: O;
  /** With the context, when the engine wants it there. */
  readonly prompt: string;
  readonly systemPrompt: string | undefined;
  readonly instructions: string | undefined;
  /** Model, options, permissive mode and session, in this order. */
  readonly flags: readonly string[];
  /** Arguments of the session where the engine places them itself. */
  readonly sessionArgs: readonly string[];
  readonly session: SessionChoice | undefined;
  readonly extraArgs: readonly string[];
  readonly cwd: string;
  /** Environment of the child, without what `prepare` adds. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: CallFiles;
  readonly timeoutMs: number | undefined;
  readonly outputSchema: ZodType | undefined;
  readonly taskContext: AgentTaskContext;
  /** Tells agents apart that run outside of a workflow; the same for all calls of one. */
  readonly instanceId: string;
  /** Epoch milliseconds of the start. */
  readonly startedAtMs: number;
}

/** How the tool is started for one call. */
export interface Invocation {
  args: readonly string[];
  stdin?: string;
  keepStdinOpen?: boolean;
  env?: Readonly<Record<string, string>>;
}

/** Reads the output of one call into the transcript. */
export interface CliParser {
  json?(line: JsonLine, to: ParserTarget): void;
  /** A line of stdout that is not a JSON object. */
  text?(line: string, to: ParserTarget): void;
  stderr?(line: string, to: ParserTarget): void;
  /** After the last line. */
  end?(transcript: Transcript): void;
  /** Whether every line of stdout goes to `text`. */
  readonly plainText?: boolean;
}

/** The target of a parser, and its way to answer the tool. */
export interface ParserTarget {
  readonly transcript: Transcript;
  /** Sends a line to the tool. */
  send(line: string): void;
  /** Closes the tool's input. */
  finish(): void;
}
