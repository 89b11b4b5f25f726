import { ServiceError } from "../../../errors/service-error.js";
import * as rules from "../../../options/option-rules.js";
import { CLI_CAPABILITIES } from "../../capabilities/registries.js";
import { BaseCliAgent } from "../base-cli-agent.js";
import type { CliEngine } from "../engine.js";
import type { BaseCliAgentOptions } from "../options.js";
import { createForgeParser } from "./forge-text.js";

/** Options of Forge, besides those of every command-line agent. */
export interface ForgeAgentOptions extends BaseCliAgentOptions {
  /** Such as `open_router`. @default the first part of a `provider/model` */
  provider?: string;
  /** One of the tool's agents, such as `forge`, `sage` or `muse`. */
  agent?: string;
  /** UUID of the conversation; made if there is none. */
  conversationId?: string;
  /** Refused: workflow files are part of the tool's configuration now. */
  workflow?: string;
  /** Name of a git worktree that the tool makes for this work. */
  sandbox?: string;
  /** Whether the tool keeps to its permission policies. */
  restricted?: boolean;
}

const forgeEngine: CliEngine<ForgeAgentOptions> = {
  engine: "forge",
  title: "Forge",
  command: "forge",
  install: "Install it as https://forgecode.dev/docs/installation says.",
  checkedAgainst: "2.13.21, on 2026-11-21: from its source",
  capabilities: CLI_CAPABILITIES.forge,
  options: {
    provider: { is: rules.name, to: "engine" },
    agent: { is: rules.name, to: "flag", flag: "--agent" },
    conversationId: { is: rules.name, to: "session", as: "new" },
    workflow: { to: "removed", flag: "--workflow", instead: "Put its settings into `.forge.toml`" },
    sandbox: { is: rules.name, to: "flag", flag: "--sandbox" },
    restricted: { is: rules.flag, to: "env", names: ["FORGE_RESTRICTED"] },
  },
  // The tool has no flag for it; its configuration can be overridden by variables.
  modelFlag: null,
  yoloArgs: [],
  session: { resume: (id) => ["--conversation-id", id], assignsId: true },
  context: "in-prompt",
  check({ yolo = false, restricted = false, model, provider }) {
    if (yolo && restricted) {
      throw invalid("Options of Forge contradict each other: `yolo` and `restricted`.");
    }
    if (provider !== undefined && model === undefined) {
      throw invalid("Option `provider` of Forge needs a `model` along with it.");
    }
    if (model !== undefined && provider === undefined && !model.includes("/")) {
      throw invalid(`Forge cannot tell the provider of model "${model}": write \`provider/model\`.`);
    }
  },
  prepare({ options, flags, extraArgs, prompt }) {
    return {
      args: [...flags, ...extraArgs],
      env: {
        ...modelVariables(options),
        ...(options.yolo === true && { FORGE_RESTRICTED: "false" }),
      },
      stdin: prompt,
    };
  },
  createParser: createForgeParser,
  saysItsEnd: false,
  async afterRun({ call, transcript, ask }) {
    // The printed text mixes the agent's words with the output of its commands.
    if (call.session !== undefined) {
      transcript.final(await ask(["conversation", "show", call.session.id, "--md"]));
    }
  },
  failures: [{ kind: "auth", pattern: /provider .{0,60}not (?:available|configured|found)|no provider/i }],
  openSession: (sessionId) => ({ args: ["--conversation-id", sessionId] }),
};

function modelVariables({ model, provider }: ForgeAgentOptions): Record<string, string> {
  if (model === undefined) return {};
  const slash = model.indexOf("/");
  return {
    FORGE_SESSION__PROVIDER_ID: provider ?? model.slice(0, slash),
    FORGE_SESSION__MODEL_ID: provider === undefined ? model.slice(slash + 1) : model,
  };
}

function invalid(message: string): ServiceError {
  return new ServiceError("AGENT_CONFIG_INVALID", message);
}

/** Forge: the command `forge`. */
export class ForgeAgent extends BaseCliAgent<ForgeAgentOptions> {
  constructor(options: ForgeAgentOptions = {}) {
    super(forgeEngine, options);
  }
}
