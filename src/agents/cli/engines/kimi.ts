import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { ServiceError } from "../../../errors/service-error.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { AskTool, CliCall, CliEngine, CliParser, JsonLine } from "../engine.js";
import { numberOf, textOf } from "../json-fields.js";
import { promptArgument } from "../prompt.js";
import type { Transcript } from "../transcript.js";
import { readChatMessage } from "./chat-messages.js";
import { isolatedShareDir, openShareDir } from "./kimi-share-dir.js";
import type { KimiAgentOptions } from "./kimi-options.js";

const MCP_FILE = "Name the servers in mcp.json of `configDir` or of the project.";

const kimiEngine: CliEngine<KimiAgentOptions> = {
  engine: "kimi",
  title: "Kimi Code",
  command: "kimi",
  install: "Install it with `npm install -g @moonshot-ai/kimi-code` (Node.js 22.19 or later).",
  checkedAgainst: "2.1.0, on 2026-11-22: run against a model server (flags, stream, resume, forks, failures)",
  capabilities: CLI_CAPABILITIES.kimi,
  options: {
    thinking: { to: "removed", flag: "--thinking", instead: "Choose a model that thinks." },
    agent: { is: rules.name, to: "engine" },
    maxRalphIterations: { to: "removed", flag: "--max-ralph-iterations", instead: "Use a Loop." },
    session: { is: rules.name, to: "session", as: "resume" },
    continue: { is: rules.flag, to: "session", as: "continue" },
    configDir: { is: rules.name, to: "engine" },
    mcpConfigFile: { to: "removed", flag: "--mcp-config-file", instead: MCP_FILE },
    mcpConfig: { to: "removed", flag: "--mcp-config-file", instead: MCP_FILE },
  },
  modelFlag: "--model",
  yoloArgs: ["--auto"],
  session: {
    resume: (id) => ["--session", id],
    // By a command of its own, see `prepare`.
    fork: () => [],
    continue: ["--continue"],
  },
  context: "in-prompt",
  async prepare(call, ask) {
    const prompt = await promptArgument(call.prompt, (name, text) => call.files.write(name, text));
    const env = await openShareDir(call);
    const { agent } = call.options;
    return {
      args: [
        "--prompt",
        prompt,
        "--output-format",
        "stream-json",
        ...call.flags,
        ...(await forkOf(call, (question) => ask(question, env))),
        // A conversation keeps the agent that it began with; the tool refuses to hear it again.
        ...(agent === undefined || call.session !== undefined ? [] : ["--agent", agent]),
        ...call.extraArgs,
      ],
      env,
    };
  },
  createParser: createKimiParser,
  saysItsEnd: false,
  failures: [
    { kind: "auth", pattern: /no model configured/i },
    { kind: "limit", pattern: /max_steps_exceeded/ },
  ],
  checkVersion(printed) {
    // The predecessor, Kimi CLI, is called the same and takes other flags.
    return /^kimi/i.test(printed)
      ? "it is Kimi CLI, which Kimi Code has replaced; install `@moonshot-ai/kimi-code` and run `kimi migrate`."
      : undefined;
  },
  openSession: (sessionId, place) => ({ args: ["--session", sessionId], env: isolatedShareDir(place) }),
};

/** Arguments that lead into a new conversation with what the old one holds. */
async function forkOf({ session }: CliCall<KimiAgentOptions>, ask: AskTool): Promise<string[]> {
  if (session?.as !== "fork") return [];
  const printed = await ask(["fork", session.id, "--yes"]);
  const id = /^Forked to (\S+)/m.exec(printed ?? "")?.[1];
  if (id !== undefined) return ["--session", id];
  throw new ServiceError("AGENT_CLI_ERROR", `Kimi Code could not fork its session ${session.id}.`, {
    details: { engine: "kimi", reason: "session", sessionId: session.id },
  });
}

function createKimiParser(): CliParser {
  return {
    json(line, { transcript }) {
      if (line["role"] === "meta") readMeta(line, transcript);
      else readChatMessage(line, transcript);
    },
    stderr(line, { transcript }) {
      // Followed by the path of a log. Commands of the agent write to stderr too.
      const said = /^error: failed to run prompt: (.+)/.exec(line)?.[1];
      if (said !== undefined) transcript.warn({ message: said });
    },
  };
}

function readMeta(line: JsonLine, transcript: Transcript): void {
  if (line["type"] === "session.resume_hint") transcript.session(textOf(line, "session_id"));
  if (line["type"] !== "turn.step.retrying") return;
  const message = textOf(line, "error_message") ?? "A request is repeated.";
  transcript.warn({ message, status: numberOf(line, "status_code") });
}

/** Kimi Code: the command `kimi`. */
export class KimiAgent extends BaseCliAgent<KimiAgentOptions> {
  constructor(options: KimiAgentOptions = {}) {
    super(kimiEngine, options);
  }
}
