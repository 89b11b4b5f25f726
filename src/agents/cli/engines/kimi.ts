import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import { readChatMessage } from "./chat-messages.js";
import { isolatedShareDir, openShareDir } from "./kimi-share-dir.js";
import type { KimiAgentOptions } from "./kimi-options.js";

export const kimiEngine: CliEngine<KimiAgentOptions> = {
  engine: "kimi",
  title: "Kimi CLI",
  command: "kimi",
  install: "Install it with `uv tool install kimi-cli`.",
  checkedAgainst: "1.49.0, on 2026-11-21: from its source",
  capabilities: CLI_CAPABILITIES.kimi,
  options: {
    thinking: { to: "switch", flag: "--thinking", off: "--no-thinking" },
    agent: { to: "flag", flag: "--agent" },
    maxRalphIterations: { to: "flag", flag: "--max-ralph-iterations" },
    session: { to: "session", as: "resume" },
    continue: { to: "session", as: "continue" },
    configDir: { to: "engine" },
    mcpConfigFile: { to: "flag", flag: "--mcp-config-file" },
    mcpConfig: { to: "json-file", flag: "--mcp-config-file" },
  },
  modelFlag: "--model",
  yoloArgs: ["--yolo"],
  // An unknown id starts a conversation of that name, so we know it from the beginning.
  session: { resume: (id) => ["--session", id], continue: ["--continue"], assignsId: true },
  context: "in-prompt",
  async prepare(call) {
    return {
      args: ["--print", "--output-format", "stream-json", ...call.flags, ...call.extraArgs],
      env: await openShareDir(call),
      stdin: call.prompt,
    };
  },
  createParser: () => ({
    json: (line, { transcript }) => readChatMessage(line, transcript),
    stderr(line, { transcript }) {
      transcript.session(/To resume this session: kimi -r (\S+)/.exec(line)?.[1]);
    },
  }),
  saysItsEnd: false,
  exitKinds: { 75: "transient" },
  checkVersion(printed) {
    // The successor, Kimi Code, is called the same, prints the bare number and takes other flags.
    return /^\d/.test(printed)
      ? "it is Kimi Code, whose flags differ; this agent drives Kimi CLI (`uv tool install kimi-cli`)."
      : undefined;
  },
  openSession: (sessionId, place) => ({ args: ["--session", sessionId], env: isolatedShareDir(place) }),
};

/** Kimi CLI: the command `kimi`. */
export class KimiAgent extends BaseCliAgent<KimiAgentOptions> {
  constructor(options: KimiAgentOptions = {}) {
    super(kimiEngine, options);
  }
}
