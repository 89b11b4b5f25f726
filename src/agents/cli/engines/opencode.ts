import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine, CliParser, JsonLine } from "../engine.js";
import { numberOf, parsedArguments, recordOf, textOf, tokenUsage } from "../json-fields.js";
import type { BaseCliAgentOptions } from "../options.js";
import type { Transcript } from "../transcript.js";
import { isRecord } from "../../../util/is-record.js";

/** Options of OpenCode, besides those of every command-line agent. */
export interface OpenCodeAgentOptions extends BaseCliAgentOptions {
  /** One of the tool's agents, such as `build` or `plan`. */
  agentName?: string;
  /** Files that go with the prompt. */
  attachFiles?: string[];
  /** Continues the latest conversation. */
  continueSession?: boolean;
  /** Id of a conversation to continue. */
  sessionId?: string;
  /** Variant of the model, such as `high`. */
  variant?: string;
}

const openCodeEngine: CliEngine<OpenCodeAgentOptions> = {
  engine: "opencode",
  title: "OpenCode",
  command: "opencode",
  install: "Install it with `npm install -g opencode-ai`.",
  checkedAgainst:
    "1.18.33, on 2026-11-22: run against a model server (flags, stream, resume, fork, failures)",
  capabilities: CLI_CAPABILITIES.opencode,
  options: {
    agentName: { is: rules.name, to: "flag", flag: "--agent" },
    attachFiles: { is: rules.texts, to: "engine" },
    continueSession: { is: rules.flag, to: "session", as: "continue" },
    sessionId: { is: rules.name, to: "session", as: "resume" },
    variant: { is: rules.name, to: "flag", flag: "--variant" },
  },
  modelFlag: "--model",
  yoloArgs: ["--auto"],
  session: {
    resume: (id) => ["--session", id],
    fork: (id) => ["--session", id, "--fork"],
    continue: ["--continue"],
  },
  context: "in-prompt",
  prepare({ options, flags, extraArgs, prompt }) {
    // The flag swallows the arguments behind it unless its value is part of it.
    const files = (options.attachFiles ?? []).map((file) => `--file=${file}`);
    return {
      args: [
        "run",
        "--format",
        "json",
        // Its reaction to a request that fails is only in its log.
        "--print-logs",
        "--log-level",
        "WARN",
        // It asks a model for one otherwise.
        "--title",
        TITLE,
        ...flags,
        ...files,
        ...extraArgs,
      ],
      stdin: prompt,
    };
  },
  createParser: createOpenCodeParser,
  saysItsEnd: false,
  toolLimit: {
    chosen: () => undefined,
    apply: (options, tools) => ({
      ...options,
      env: { ...options.env, ...toolConfiguration(options, tools) },
    }),
  },
  failures: [{ kind: "model", pattern: /ProviderModelNotFound|ModelNotFound/i }],
};

const TITLE = "treadle task";

/** The tool takes configuration from a variable, on top of its files; what stands there already is kept. */
function toolConfiguration(options: OpenCodeAgentOptions, tools: readonly string[]): Record<string, string> {
  const name = "OPENCODE_CONFIG_CONTENT";
  const present = parsedArguments(options.env?.[name] ?? process.env[name]);
  const enabled = Object.fromEntries(tools.map((tool) => [tool, true]));
  return {
    [name]: JSON.stringify({ ...(isRecord(present) ? present : {}), tools: { "*": false, ...enabled } }),
  };
}

/** Reads `run --format json`: `step_start`, `text`, `reasoning`, `tool_use`, `step_finish`, `error`. */
function createOpenCodeParser(): CliParser {
  return {
    json(line, { transcript }) {
      transcript.session(textOf(line, "sessionID"));
      const part = recordOf(line, "part");
      switch (line["type"]) {
        case "text":
          transcript.message(textOf(part, "text") ?? "");
          return;
        case "reasoning":
          transcript.thought(textOf(part, "text") ?? "");
          return;
        case "tool_use":
          if (part !== undefined) readTool(part, transcript);
          return;
        case "step_finish":
          transcript.recovered();
          countTokens(recordOf(part, "tokens"), transcript);
          return;
        case "error":
          readError(recordOf(line, "error"), transcript);
          return;
      }
    },
    stderr(line, { transcript }) {
      const at = line.search(/\blevel=ERROR\b/);
      const refused = at < 0 ? undefined : / error\.error="((?:[^"\\]|\\.)*)"/.exec(line.slice(at))?.[1];
      if (refused !== undefined) transcript.warn({ message: refused });
    },
  };
}

/** The tool reports a call when it is over. */
function readTool(part: JsonLine, transcript: Transcript): void {
  const state = recordOf(part, "state");
  const name = textOf(part, "tool") ?? "tool";
  const id = textOf(part, "callID") ?? name;
  const title = textOf(state, "title");
  transcript.toolStarted({ id, name, input: state?.["input"], ...(title !== undefined && { title }) });
  const ok = state?.["status"] !== "error";
  transcript.toolDone({ id, ok, output: textOf(state, "output") ?? textOf(state, "error") });
}

function countTokens(tokens: JsonLine | undefined, transcript: Transcript): void {
  const cache = recordOf(tokens, "cache");
  const cacheRead = numberOf(cache, "read");
  const cacheWrite = numberOf(cache, "write");
  const reasoning = numberOf(tokens, "reasoning");
  const usage = tokenUsage({
    input: (numberOf(tokens, "input") ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: (numberOf(tokens, "output") ?? 0) + (reasoning ?? 0),
    cacheRead,
    cacheWrite,
    reasoning,
  });
  if (usage !== undefined) transcript.addUsage(usage);
}

function readError(error: JsonLine | undefined, transcript: Transcript): void {
  const data = recordOf(error, "data");
  const message = textOf(data, "message") ?? textOf(error, "name") ?? "An error without a message.";
  const wait = textOf(recordOf(data, "responseHeaders"), "retry-after");
  transcript.fail({
    message: wait === undefined ? message : `${message} (retry-after: ${wait})`,
    status: numberOf(data, "statusCode"),
  });
}

/** OpenCode: the command `opencode run`. A conversation of it cannot be handed over to a terminal. */
export class OpenCodeAgent extends BaseCliAgent<OpenCodeAgentOptions> {
  constructor(options: OpenCodeAgentOptions = {}) {
    super(openCodeEngine, options);
  }
}
