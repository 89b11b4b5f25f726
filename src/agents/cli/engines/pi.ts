import { ServiceError } from "../../../errors/service-error.js";
import * as rules from "../../../options/option-rules.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliCall, CliEngine } from "../engine.js";
import { piKeyVariable } from "./pi-keys.js";
import { createPiParser } from "./pi-stream.js";
import { createPlainTextParser } from "./plain-text.js";
import type { PiAgentOptions } from "./pi-options.js";

const piEngine: CliEngine<PiAgentOptions> = {
  engine: "pi",
  title: "Pi",
  command: "pi",
  install: "Install it with `npm install -g @earendil-works/pi-coding-agent`.",
  checkedAgainst:
    "0.87.1, on 2026-11-22: run against a model server (flags, stream, RPC, resume, forks, failures)",
  capabilities: CLI_CAPABILITIES.pi,
  options: {
    provider: { is: rules.name, to: "flag", flag: "--provider" },
    apiKey: { is: rules.secret(rules.text), to: "engine" },
    appendSystemPrompt: { is: rules.name, to: "engine" },
    mode: { is: rules.oneOf(["text", "json", "rpc"]), to: "engine" },
    print: { is: rules.flag, to: "engine" },
    continue: { is: rules.flag, to: "session", as: "continue" },
    resume: { is: rules.flagOrText, to: "session", as: "resume" },
    session: { is: rules.name, to: "session", as: "resume" },
    sessionDir: { is: rules.name, to: "flag", flag: "--session-dir" },
    noSession: { to: "switch", flag: "--no-session" },
    models: { is: rules.textOrTexts, to: "flag", flag: "--models", join: "," },
    listModels: { is: rules.flagOrText, to: "engine" },
    tools: { is: rules.texts, to: "flag", flag: "--tools", join: "," },
    noTools: { to: "switch", flag: "--no-tools" },
    extension: { is: rules.texts, to: "flag", flag: "--extension" },
    noExtensions: { to: "switch", flag: "--no-extensions" },
    skill: { is: rules.texts, to: "flag", flag: "--skill" },
    noSkills: { to: "switch", flag: "--no-skills" },
    promptTemplate: { is: rules.texts, to: "flag", flag: "--prompt-template" },
    noPromptTemplates: { to: "switch", flag: "--no-prompt-templates" },
    theme: { is: rules.texts, to: "flag", flag: "--theme" },
    noThemes: { to: "switch", flag: "--no-themes" },
    thinking: {
      is: rules.oneOf(["off", "minimal", "low", "medium", "high", "xhigh", "max"]),
      to: "flag",
      flag: "--thinking",
    },
    export: { is: rules.name, to: "flag", flag: "--export" },
    files: { is: rules.texts, to: "engine" },
    verbose: { to: "switch", flag: "--verbose" },
    onExtensionUiRequest: { is: rules.callback, to: "engine" },
  },
  modelFlag: "--model",
  // The tool never asks.
  yoloArgs: [],
  session: {
    resume: (id) => ["--session", id],
    fork: (id) => ["--fork", id],
    continue: ["--continue"],
  },
  context: "prepared",
  check(options) {
    const { resume, files = [], onExtensionUiRequest } = options;
    if (resume === true) {
      throw new ServiceError(
        "AGENT_CONFIG_INVALID",
        "Option `resume: true` of Pi opens a picker, which needs a terminal. Pass the id of the conversation, or `continue`.",
      );
    }
    if (modeOf(options) === "rpc" && files.length > 0) {
      throw new ServiceError("AGENT_RPC_FILE_ARGS", "Pi takes no `files` in RPC mode.", {
        details: { files },
      });
    }
    if (modeOf(options) !== "rpc" && onExtensionUiRequest !== undefined) {
      throw new ServiceError(
        "AGENT_CONFIG_INVALID",
        `Option \`onExtensionUiRequest\` of Pi works in RPC mode only, not in mode "${modeOf(options)}".`,
      );
    }
    piKeyVariable(options);
  },
  prepare(call) {
    const { options, flags, extraArgs, systemPrompt, instructions, prompt } = call;
    const mode = modeOf(options);
    const appended = [options.appendSystemPrompt, instructions].filter((part) => part !== undefined);
    const args = [
      "--mode",
      mode,
      ...(mode === "rpc" || options.print === false ? [] : ["--print"]),
      ...flags,
      ...(systemPrompt === undefined ? [] : ["--system-prompt", systemPrompt]),
      ...appended.flatMap((text) => ["--append-system-prompt", text]),
      ...listFlags(options.listModels),
      ...extraArgs,
      ...(options.files ?? []).map((file) => `@${file}`),
    ];
    const env = keyOf(call);
    if (mode !== "rpc") return { args, env, stdin: prompt };
    const commands = [
      // The workflow retries; a tool that retries by itself would not say when it is done.
      { type: "set_auto_retry", enabled: false },
      { id: "prompt", type: "prompt", message: prompt },
    ];
    const stdin = commands.map((command) => `${JSON.stringify(command)}\n`).join("");
    return { args, env, stdin, keepStdinOpen: true };
  },
  createParser({ options }) {
    const isPlain =
      modeOf(options) === "text" || options.listModels !== undefined || options.export !== undefined;
    return isPlain ? createPlainTextParser() : createPiParser(options.onExtensionUiRequest);
  },
  saysItsEnd: true,
  toolLimit: {
    chosen: ({ tools }) => tools,
    apply: (options, tools) => ({ ...options, tools: [...tools], noTools: tools.length === 0 }),
  },
  openSession: (sessionId, { options }) => ({
    args: [
      ...(options.sessionDir === undefined ? [] : ["--session-dir", options.sessionDir]),
      "--session",
      sessionId,
    ],
  }),
};

function modeOf({ mode, onExtensionUiRequest }: PiAgentOptions): "text" | "json" | "rpc" {
  return mode ?? (onExtensionUiRequest === undefined ? "json" : "rpc");
}

function listFlags(listModels: boolean | string | undefined): string[] {
  if (listModels === undefined || listModels === false) return [];
  return listModels === true ? ["--list-models"] : ["--list-models", listModels];
}

function keyOf({ options }: CliCall<PiAgentOptions>): Record<string, string> {
  const variable = piKeyVariable(options);
  return variable === undefined ? {} : { [variable]: options.apiKey as string };
}

/** Pi: the command `pi`. */
export class PiAgent extends BaseCliAgent<PiAgentOptions> {
  constructor(options: PiAgentOptions = {}) {
    super(piEngine, options);
  }
}
