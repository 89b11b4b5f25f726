import { ServiceError } from "../../../errors/service-error.js";
import * as rules from "../../../options/option-rules.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine, CliParser, JsonLine } from "../engine.js";
import { numberOf, recordOf, textOf, tokenUsage } from "../json-fields.js";
import type { BaseCliAgentOptions } from "../options.js";
import type { Transcript } from "../transcript.js";

/** Options of Gemini CLI, besides those of every command-line agent. */
export interface GeminiAgentOptions extends BaseCliAgentOptions {
  /** The actions that the tool takes without asking; with `yolo` nothing but "yolo" fits. @default the tool's own */
  approvalMode?: "default" | "auto_edit" | "yolo" | "plan";
  /** Makes the tool run in its own sandbox. */
  sandbox?: boolean;
  /** The only extensions to load. */
  extensions?: string[];
  /** Id of a conversation to continue, or `latest`. */
  resume?: string;
  /** More folders of the workspace. */
  includeDirectories?: string[];
  /** Folder that holds the tool's `.gemini` folder. @default the home folder */
  configDir?: string;
  /** Goes to the tool as `GEMINI_API_KEY`. */
  apiKey?: string;
}

const geminiEngine: CliEngine<GeminiAgentOptions> = {
  engine: "gemini",
  title: "Gemini CLI",
  command: "gemini",
  install: "Install it with `npm install -g @google/gemini-cli`.",
  checkedAgainst: "0.61.0, on 2026-11-22: run against a model server (flags, stream, resume, failures)",
  capabilities: CLI_CAPABILITIES.gemini,
  options: {
    approvalMode: { is: rules.oneOf(["default", "auto_edit", "yolo", "plan"]), to: "engine" },
    sandbox: { to: "switch", flag: "--sandbox" },
    extensions: { is: rules.texts, to: "flag", flag: "--extensions" },
    resume: { is: rules.name, to: "session", as: "resume" },
    includeDirectories: { is: rules.texts, to: "flag", flag: "--include-directories" },
    configDir: { is: rules.name, to: "env", names: ["GEMINI_CLI_HOME"] },
    apiKey: { is: rules.text, to: "env", names: ["GEMINI_API_KEY"], secret: true },
  },
  modelFlag: "--model",
  yoloArgs: [],
  session: { resume: (id) => ["--resume", id] },
  context: "in-prompt",
  check({ yolo = false, approvalMode = "yolo" }) {
    if (yolo && approvalMode !== "yolo") {
      throw new ServiceError(
        "AGENT_CONFIG_INVALID",
        `Options of Gemini CLI contradict each other: \`yolo\` and approvalMode "${approvalMode}".`,
      );
    }
  },
  prepare({ options, flags, extraArgs, prompt }) {
    const mode = options.yolo === true ? "yolo" : options.approvalMode;
    return {
      args: [
        "--output-format",
        "stream-json",
        // Outside of trusted folders the tool does nothing at all without a terminal.
        "--skip-trust",
        ...(mode === undefined ? [] : ["--approval-mode", mode]),
        ...flags,
        ...extraArgs,
      ],
      stdin: prompt,
    };
  },
  createParser: createGeminiParser,
  saysItsEnd: true,
  exitKinds: { 41: "auth", 42: "flag", 52: "flag", 53: "limit" },
  openSession: (sessionId) => ({ args: ["--resume", sessionId] }),
};

/** Reads `--output-format stream-json`: `init`, `message`, `tool_use`, `tool_result`, `error`, `result`. */
function createGeminiParser(): CliParser {
  return {
    json(line, { transcript }) {
      switch (line["type"]) {
        case "init":
          transcript.model(textOf(line, "model"));
          transcript.session(textOf(line, "session_id"));
          return;
        case "message":
          if (line["role"] === "assistant") transcript.delta(textOf(line, "content") ?? "");
          return;
        case "tool_use": {
          const name = textOf(line, "tool_name") ?? "tool";
          transcript.toolStarted({ id: textOf(line, "tool_id") ?? name, name, input: line["parameters"] });
          return;
        }
        case "tool_result":
          transcript.toolDone({
            id: textOf(line, "tool_id") ?? "tool",
            ok: line["status"] !== "error",
            output: textOf(line, "output") ?? textOf(recordOf(line, "error"), "message"),
          });
          return;
        case "error":
          transcript.warn({ message: textOf(line, "message") ?? "An error without a message." });
          return;
        case "result":
          readResult(line, transcript);
          return;
      }
    },
    stderr(line, { transcript }) {
      const refused = /^Attempt \d+ failed(?: with status (\d+))?\b.*retrying/i.exec(line);
      if (refused === null) return;
      const status = refused[1] === undefined ? undefined : Number(refused[1]);
      transcript.warn({ message: line, status });
    },
  };
}

function readResult(line: JsonLine, transcript: Transcript): void {
  const stats = recordOf(line, "stats");
  const usage = tokenUsage({
    input: numberOf(stats, "input_tokens"),
    output: numberOf(stats, "output_tokens"),
    cacheRead: numberOf(stats, "cached"),
  });
  if (usage !== undefined) transcript.usage(usage);
  transcript.final(undefined);
  if (line["status"] === "success") return;
  transcript.fail({ message: textOf(recordOf(line, "error"), "message") ?? "The tool reports an error." });
}

/**
 * Gemini CLI: the command `gemini`.
 * @deprecated Google has replaced it by Antigravity; use `AntigravityAgent`.
 */
export class GeminiAgent extends BaseCliAgent<GeminiAgentOptions> {
  constructor(options: GeminiAgentOptions = {}) {
    super(geminiEngine, options);
  }
}
