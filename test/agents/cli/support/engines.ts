import type { AgentEngine, TokenUsage } from "../../../../src/model/agent.js";
import {
  AmpAgent,
  AntigravityAgent,
  type BaseCliAgent,
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  CodexAgent,
  ForgeAgent,
  GeminiAgent,
  KimiAgent,
  OpenCodeAgent,
  PiAgent,
  VibeAgent,
} from "../../../../src/agents/cli/index.js";
import type { Step } from "./fake-tool.js";

/** What the tests know about one tool, written down apart from the code under test. */
export interface ToolUnderTest {
  engine: AgentEngine;
  command: string;
  create(options: BaseCliAgentOptions): BaseCliAgent;
  /** File in which a real run is recorded: one command, then the answer `PONG`. */
  recording: string;
  /** Id of the recorded conversation; absent when the tool does not print one. */
  recordedSession?: string;
  recordedUsage?: TokenUsage;
  /** What the tool prints when it is asked something after the recorded run. */
  recordedCommands?: Record<string, Step[]>;
  /** Output of a run that answers with this text. */
  answers(text: string): Step[];
  /** Output of a run that ends in this error. */
  fails(message: string): Step[];
  /** Arguments that stand for "continue this conversation". */
  resumes(id: string): string[];
  /** Where the prompt is found in a call. */
  promptIn: "stdin" | "argv";
}

const as = <O extends BaseCliAgentOptions>(agent: BaseCliAgent<O>) => agent as unknown as BaseCliAgent;

export const TOOLS: readonly ToolUnderTest[] = [
  {
    engine: "claude-code",
    command: "claude",
    create: (options) => as(new ClaudeCodeAgent(options)),
    recording: "claude-code.jsonl",
    recordedSession: "b18d6c54-41d7-4cef-9cff-81c415e9b0f5",
    recordedUsage: {
      inputTokens: 24 + 6 + 8,
      outputTokens: 14,
      cacheReadTokens: 8,
      cacheWriteTokens: 6,
      model: "claude-opus-4-8[1m]",
    },
    answers: (text) => [{ lines: claudeAnswer(text) }],
    fails: (message) => [
      {
        lines: [
          { type: "system", subtype: "init", session_id: "s1" },
          { type: "result", subtype: "success", is_error: true, result: message, session_id: "s1" },
        ],
      },
      { exit: 1 },
    ],
    resumes: (id) => ["--resume", id],
    promptIn: "stdin",
  },
  {
    engine: "codex",
    command: "codex",
    create: (options) => as(new CodexAgent(options)),
    recording: "codex.jsonl",
    recordedSession: "01a1fd6d-2e08-7731-87f8-c3e85f731a47",
    recordedUsage: { inputTokens: 40, outputTokens: 18, cacheReadTokens: 10, reasoningTokens: 4 },
    answers: (text) => [
      {
        lines: [
          { type: "thread.started", thread_id: "s1" },
          { type: "turn.started" },
          { type: "item.completed", item: { id: "item_0", type: "agent_message", text } },
          { type: "turn.completed", usage: { input_tokens: 3, output_tokens: 2 } },
        ],
      },
    ],
    fails: (message) => [
      {
        lines: [
          { type: "thread.started", thread_id: "s1" },
          { type: "error", message },
          { type: "turn.failed", error: { message } },
        ],
      },
      { exit: 1 },
    ],
    resumes: (id) => ["resume", id],
    promptIn: "stdin",
  },
  {
    engine: "antigravity",
    command: "agy",
    create: (options) => as(new AntigravityAgent(options)),
    recording: "antigravity.jsonl",
    recordedSession: "5c072f23-16a4-4aa5-8c26-8df256f68bd8",
    recordedUsage: {
      inputTokens: 10 + 5 + 20 + 5,
      outputTokens: 9,
      cacheReadTokens: 10,
      reasoningTokens: 2,
      model: "gemini-3.8-flash-high",
    },
    answers: (text) => [
      {
        lines: [
          { event: "init", conversation_id: "s1", init: {} },
          {
            event: "result",
            result: {
              conversation_id: "s1",
              status: "SUCCESS",
              response: text,
              usage: { input_tokens: 3, output_tokens: 2 },
            },
          },
        ],
      },
    ],
    fails: (message) => [
      { lines: [{ event: "result", result: { conversation_id: "s1", status: "ERROR", error: message } }] },
      { exit: 1 },
    ],
    resumes: (id) => ["--conversation", id],
    promptIn: "stdin",
  },
  {
    engine: "gemini",
    command: "gemini",
    create: (options) => as(new GeminiAgent(options)),
    recording: "gemini.jsonl",
    recordedSession: "eab8c7a1-edbb-4bdc-9eee-fb230c6eaef6",
    recordedUsage: { inputTokens: 40, outputTokens: 18, cacheReadTokens: 10, model: "gemini-2.5-flash" },
    answers: (text) => [
      {
        lines: [
          { type: "init", session_id: "s1", model: "m" },
          { type: "message", role: "assistant", content: text, delta: true },
          { type: "result", status: "success", stats: { input_tokens: 3, output_tokens: 2 } },
        ],
      },
    ],
    fails: (message) => [
      {
        lines: [
          { type: "init", session_id: "s1", model: "m" },
          { type: "result", status: "error", error: { type: "unknown", message: `[API Error: ${message}]` } },
        ],
      },
      { exit: 1 },
    ],
    resumes: (id) => ["--resume", id],
    promptIn: "stdin",
  },
  {
    engine: "pi",
    command: "pi",
    create: (options) => as(new PiAgent(options)),
    recording: "pi.jsonl",
    recordedSession: "01a1fd6d-7f8f-715f-89d5-44763f522c07",
    recordedUsage: {
      inputTokens: 2 * (15 + 5),
      outputTokens: 18,
      cacheReadTokens: 10,
      cacheWriteTokens: 0,
      model: "m1",
    },
    answers: (text) => [{ lines: piAnswer({ content: [{ type: "text", text }], stopReason: "stop" }) }],
    fails: (message) => [{ lines: piAnswer({ content: [], stopReason: "error", errorMessage: message }) }],
    resumes: (id) => ["--session", id],
    promptIn: "stdin",
  },
  {
    engine: "kimi",
    command: "kimi",
    create: (options) => as(new KimiAgent(options)),
    recording: "kimi.jsonl",
    recordedSession: "session_2ec50c7b-8a69-4792-8bd4-c43400d49531",
    answers: (text) => [{ lines: [{ role: "assistant", content: text }] }],
    fails: (message) => [{ err: `error: failed to run prompt: ${message}\n` }, { exit: 1 }],
    resumes: (id) => ["--session", id],
    promptIn: "argv",
  },
  {
    engine: "forge",
    command: "forge",
    create: (options) => as(new ForgeAgent(options)),
    recording: "forge.txt",
    recordedCommands: { "conversation show \\S+ --md": [{ out: "PONG\n" }] },
    answers: (text) => [{ out: `● [12:34:56] Initialize c1\n${text}\n● [12:34:58] Finished c1\n` }],
    fails: (message) => [{ err: `● [12:34:57] ERROR: ${message}\n` }],
    resumes: (id) => ["--conversation-id", id],
    promptIn: "stdin",
  },
  {
    engine: "amp",
    command: "amp",
    create: (options) => as(new AmpAgent(options)),
    recording: "amp.jsonl",
    recordedSession: "T-019a2b3c-4d5e-7f60-8192-a3b4c5d6e7f8",
    recordedUsage: {
      inputTokens: 12 + 3 + 4 + (12 + 4),
      outputTokens: 14,
      cacheReadTokens: 8,
      cacheWriteTokens: 3,
    },
    answers: (text) => [{ lines: claudeAnswer(text) }],
    fails: (message) => [
      {
        lines: [
          { type: "system", subtype: "init", session_id: "s1" },
          {
            type: "result",
            subtype: "error_during_execution",
            is_error: true,
            error: message,
            session_id: "s1",
          },
        ],
      },
      { exit: 1 },
    ],
    resumes: (id) => ["threads", "continue", id],
    promptIn: "stdin",
  },
  {
    engine: "vibe",
    command: "vibe",
    create: (options) => as(new VibeAgent(options)),
    recording: "vibe.jsonl",
    answers: (text) => [{ lines: [{ role: "assistant", content: text, message_id: "m1" }] }],
    fails: (message) => [{ err: `Error: ${message}\n` }, { exit: 1 }],
    resumes: (id) => ["--resume", id],
    promptIn: "argv",
  },
  {
    engine: "opencode",
    command: "opencode",
    create: (options) => as(new OpenCodeAgent(options)),
    recording: "opencode.jsonl",
    recordedSession: "ses_e029160d0ffekk2h4iRojMYO7Y",
    recordedUsage: {
      inputTokens: 2 * (15 + 5),
      outputTokens: 2 * (7 + 2),
      cacheReadTokens: 10,
      cacheWriteTokens: 0,
      reasoningTokens: 4,
    },
    answers: (text) => [
      {
        lines: [
          { type: "text", sessionID: "s1", part: { type: "text", text } },
          {
            type: "step_finish",
            sessionID: "s1",
            part: { type: "step-finish", tokens: { input: 3, output: 2, reasoning: 0, cache: {} } },
          },
        ],
      },
    ],
    fails: (message) => [
      { lines: [{ type: "error", sessionID: "s1", error: { name: "APIError", data: { message } } }] },
      { exit: 1 },
    ],
    resumes: (id) => ["--session", id],
    promptIn: "stdin",
  },
];

function claudeAnswer(text: string): unknown[] {
  return [
    { type: "system", subtype: "init", session_id: "s1", model: "m" },
    {
      type: "assistant",
      message: { id: "msg_1", role: "assistant", content: [{ type: "text", text }] },
      parent_tool_use_id: null,
      session_id: "s1",
    },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: text,
      session_id: "s1",
      usage: { input_tokens: 3, output_tokens: 2 },
    },
  ];
}

function piAnswer(message: Record<string, unknown>): unknown[] {
  return [
    { type: "session", version: 3, id: "s1" },
    { type: "agent_start" },
    {
      type: "message_end",
      message: { role: "assistant", model: "m1", usage: { input: 3, output: 2 }, ...message },
    },
    { type: "agent_end", messages: [] },
  ];
}
