import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import { textOf } from "../json-fields.js";
import { promptArgument } from "../prompt.js";
import { readChatMessage } from "./chat-messages.js";
import { isolatedShareDir, openShareDir } from "./kimi-share-dir.js";
import type { KimiAgentOptions } from "./kimi-options.js";

const MCP_FILE = "Name the servers in mcp.json of `configDir` or of the project.";

export const kimiEngine: CliEngine<KimiAgentOptions> = {
  engine: "kimi",
  title: "Kimi Code",
  command: "kimi",
  install: "Install it with `npm install -g @moonshot-ai/kimi-code` (Node.js 22.19 or later).",
  checkedAgainst: "2.1.0, on 2026-11-22: run against a model server (flags, stream, resume, failures)",
  capabilities: CLI_CAPABILITIES.kimi,
  options: {
    thinking: { to: "removed", flag: "--thinking", instead: "Choose a model that thinks." },
    agent: { to: "flag", flag: "--agent" },
    maxRalphIterations: { to: "removed", flag: "--max-ralph-iterations", instead: "Use a Loop." },
    session: { to: "session", as: "resume" },
    continue: { to: "session", as: "continue" },
    configDir: { to: "engine" },
    mcpConfigFile: { to: "removed", flag: "--mcp-config-file", instead: MCP_FILE },
    mcpConfig: { to: "removed", flag: "--mcp-config-file", instead: MCP_FILE },
  },
  modelFlag: "--model",
  yoloArgs: ["--auto"],
  session: { resume: (id) => ["--session", id], continue: ["--continue"] },
  context: "in-prompt",
  async prepare(call) {
    const prompt = await promptArgument(call.prompt, (name, text) => call.files.write(name, text));
    return {
      args: ["--prompt", prompt, "--output-format", "stream-json", ...call.flags, ...call.extraArgs],
      env: await openShareDir(call),
    };
  },
  createParser: () => ({
    json(line, { transcript }) {
      if (line["role"] !== "meta") return readChatMessage(line, transcript);
      if (line["type"] === "session.resume_hint") transcript.session(textOf(line, "session_id"));
    },
  }),
  saysItsEnd: false,
  failures: [{ kind: "auth", pattern: /no model configured/i }],
  checkVersion(printed) {
    // The predecessor, Kimi CLI, is called the same and takes other flags.
    return /^kimi/i.test(printed)
      ? "it is Kimi CLI, which Kimi Code has replaced; install `@moonshot-ai/kimi-code` and run `kimi migrate`."
      : undefined;
  },
  openSession: (sessionId, place) => ({ args: ["--session", sessionId], env: isolatedShareDir(place) }),
};

/** Kimi Code: the command `kimi`. */
export class KimiAgent extends BaseCliAgent<KimiAgentOptions> {
  constructor(options: KimiAgentOptions = {}) {
    super(kimiEngine, options);
  }
}
