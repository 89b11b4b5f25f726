import { ServiceError } from "../../../errors/service-error.js";
import * as rules from "../../../options/option-rules.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { answerJsonSchema } from "../../structured/answer-schema.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliCall, CliEngine } from "../engine.js";
import { choosesProvider, keyVariable } from "./codex-credentials.js";
import { codexOverrides } from "./codex-overrides.js";
import { createCodexParser } from "./codex-stream.js";
import { conversationTotal } from "./codex-sessions.js";
import type { CodexAgentOptions } from "./codex-options.js";

export const codexEngine: CliEngine<CodexAgentOptions> = {
  engine: "codex",
  title: "Codex",
  command: "codex",
  install: "Install it with `npm install -g @openai/codex`.",
  checkedAgainst:
    "0.169.0, on 2026-11-22: run against a model server (flags, stream, resume, fork, schema, failures)",
  capabilities: CLI_CAPABILITIES.codex,
  options: {
    sandbox: {
      is: rules.oneOf(["read-only", "workspace-write", "danger-full-access"]),
      to: "flag",
      flag: "--sandbox",
    },
    config: {
      is: {
        ...rules.texts,
        ...rules.checked(
          "an object, or a list of overrides such as a.b=1",
          (value) => rules.record.fits(value) || rules.texts.fits(value),
        ),
      },
      to: "engine",
    },
    profile: { is: rules.name, to: "flag", flag: "--profile" },
    fullAuto: { is: rules.flag, to: "engine" },
    outputSchema: { is: rules.name, to: "engine" },
    nativeStructuredOutput: { is: rules.flag, to: "engine" },
    configDir: { is: rules.name, to: "env", names: ["CODEX_HOME"] },
    apiKey: { is: rules.text, to: "env", names: ["CODEX_API_KEY", "OPENAI_API_KEY"], secret: true },
  },
  modelFlag: "--model",
  yoloArgs: ["--dangerously-bypass-approvals-and-sandbox"],
  session: { resume: (id) => ["resume", id], fork: (id) => ["fork", id], place: "own" },
  context: "in-prompt",
  check({ sandbox, fullAuto = false, yolo = false }) {
    if (yolo && (fullAuto || (sandbox !== undefined && sandbox !== "danger-full-access"))) {
      throw contradiction("`yolo` switches the sandbox off, `sandbox` and `fullAuto` ask for one");
    }
    if (fullAuto && sandbox !== undefined && sandbox !== "workspace-write") {
      throw contradiction(`\`fullAuto\` means sandbox "workspace-write", not "${sandbox}"`);
    }
  },
  async prepare(call) {
    const { options, flags, sessionArgs, extraArgs, prompt } = call;
    // The flag --full-auto is gone; this is what it stood for.
    const fullAuto = options.fullAuto === true && options.sandbox === undefined;
    const schema = await schemaFile(call);
    return {
      args: [
        "exec",
        "--json",
        "--skip-git-repo-check",
        ...flags,
        ...(fullAuto ? ["--sandbox", "workspace-write"] : []),
        ...codexOverrides(options.config).flatMap((override) => ["--config", override]),
        ...(schema === undefined ? [] : ["--output-schema", schema]),
        ...extraArgs,
        ...sessionArgs,
        "-",
      ],
      stdin: prompt,
      env: keyVariable(options, call),
    };
  },
  createParser: createCodexParser,
  saysItsEnd: true,
  conversationTokens: conversationTotal,
  failures: [
    { kind: "session", pattern: /thread\/resume failed/i },
    {
      kind: "flag",
      pattern:
        /invalid_json_schema|invalid schema for response_format|^Error loading config|config is no longer supported/i,
    },
  ],
  authCheck: {
    args: ["login", "status"],
    applies: (options, place) =>
      place.env["CODEX_API_KEY"] === undefined &&
      place.env["OPENAI_API_KEY"] === undefined &&
      !choosesProvider(options, place),
    isMissing: ({ output }) => /^not logged in/im.test(output),
  },
  hasNativeOutput: ({ nativeStructuredOutput }) => nativeStructuredOutput === true,
  openSession: (sessionId) => ({ args: ["resume", sessionId] }),
};

async function schemaFile({
  options,
  outputSchema,
  files,
}: CliCall<CodexAgentOptions>): Promise<string | undefined> {
  if (options.nativeStructuredOutput !== true || outputSchema === undefined) return options.outputSchema;
  return files.write("schema.json", JSON.stringify(answerJsonSchema(outputSchema)));
}

function contradiction(what: string): ServiceError {
  return new ServiceError("AGENT_CONFIG_INVALID", `Options of Codex contradict each other: ${what}.`);
}

/** Codex: the command `codex exec`. */
export class CodexAgent extends BaseCliAgent<CodexAgentOptions> {
  constructor(options: CodexAgentOptions = {}) {
    super(codexEngine, options);
  }
}
