import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord } from "../../../util/is-record.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import * as rules from "../../../options/option-rules.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliCall, CliEngine } from "../engine.js";
import { recordOf, textOf } from "../json-fields.js";
import { promptArgument } from "../prompt.js";
import { readChatMessage } from "./chat-messages.js";
import type { VibeAgentOptions } from "./vibe-options.js";

const vibeEngine: CliEngine<VibeAgentOptions> = {
  engine: "vibe",
  title: "Mistral Vibe",
  command: "vibe",
  install: "Install it with `uv tool install mistral-vibe`.",
  checkedAgainst: "2.18.4, on 2026-11-21: from its source",
  capabilities: CLI_CAPABILITIES.vibe,
  options: {
    agent: { is: rules.name, to: "flag", flag: "--agent" },
    maxTurns: { is: rules.positiveInteger, to: "flag", flag: "--max-turns" },
    maxPrice: { is: rules.positiveNumber, to: "flag", flag: "--max-price" },
    maxTokens: { is: rules.positiveInteger, to: "flag", flag: "--max-tokens" },
    enabledTools: { is: rules.texts, to: "flag", flag: "--enabled-tools" },
    sessionId: { is: rules.name, to: "session", as: "resume" },
    continueSession: { is: rules.flag, to: "session", as: "continue" },
  },
  // The model is part of the configuration, which variables override.
  modelFlag: null,
  yoloArgs: ["--auto-approve", "--trust"],
  session: { resume: (id) => ["--resume", id], continue: ["--continue"] },
  context: "in-prompt",
  async prepare({ options, flags, extraArgs, prompt, files }) {
    const text = await promptArgument(prompt, (name, content) => files.write(name, content));
    return {
      // Without a terminal the tool drops what it reads from stdin, so the prompt is an argument. One
      // that begins with a dash would be taken for a flag if it were an argument of its own.
      args: [`--prompt=${text}`, "--output", "streaming", ...flags, ...extraArgs],
      ...(options.model !== undefined && { env: { VIBE_ACTIVE_MODEL: options.model } }),
    };
  },
  createParser: () => ({ json: (line, { transcript }) => readChatMessage(line, transcript) }),
  saysItsEnd: false,
  failures: [
    {
      kind: "limit",
      pattern: /(?:turn|price|token|cost) limit|limit .{0,30}exceeded: |max(?:imum)? (?:turns|price|tokens)/i,
    },
    { kind: "auth", pattern: /set the environment variable|vibe --setup/i },
  ],
  toolLimit: {
    chosen: ({ enabledTools }) => enabledTools,
    // No tool has an empty name: that is how to enable none.
    apply: (options, tools) => ({ ...options, enabledTools: tools.length === 0 ? ["re:^$"] : [...tools] }),
  },
  async afterRun({ call, transcript }) {
    transcript.session(await findVibeSession(call));
  },
  openSession: (sessionId) => ({ args: ["--resume", sessionId] }),
};

/** Mistral Vibe: the command `vibe`. */
export class VibeAgent extends BaseCliAgent<VibeAgentOptions> {
  constructor(options: VibeAgentOptions = {}) {
    super(vibeEngine, options);
  }
}

/** Folders that are looked at, the latest first. */
const MOST_FOLDERS = 20;

/**
 * Vibe prints no id, but leaves a folder per conversation with its metadata. The one that was written
 * during this call in this working folder is ours; when there are several, it is not known.
 */
async function findVibeSession(call: CliCall<VibeAgentOptions>): Promise<string | undefined> {
  if (call.session?.as === "resume") return call.session.id;
  const home = call.env["VIBE_HOME"] ?? join(call.env["HOME"] ?? homedir(), ".vibe");
  const folder = join(home, "logs", "session");
  const cwd = await realpath(call.cwd).catch(() => call.cwd);
  const names = (await readdir(folder).catch(() => [])).sort().reverse().slice(0, MOST_FOLDERS);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name, "meta.json");
      const written = await stat(path).catch(() => undefined);
      if (written === undefined || written.mtimeMs < call.startedAtMs) return undefined;
      const metadata = await readMetadata(path);
      const place = textOf(recordOf(metadata, "environment"), "working_directory");
      return place === cwd || place === call.cwd ? textOf(metadata, "session_id") : undefined;
    }),
  );
  const ids = found.filter((id) => id !== undefined);
  return ids.length === 1 ? ids[0] : undefined;
}

async function readMetadata(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const metadata: unknown = JSON.parse(await readFile(path, "utf8"));
    return isRecord(metadata) ? metadata : undefined;
  } catch {
    return undefined;
  }
}
