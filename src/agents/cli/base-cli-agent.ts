import { randomUUID } from "node:crypto";
import { ServiceError } from "../../errors/service-error.js";
import type {
  AgentCapabilityRegistry,
  AgentEngine,
  AgentGenerateOptions,
  AgentLike,
  AgentTaskContext,
  ResumeCommand,
} from "../../model/agent.js";
import { type Clock, systemClock } from "../../util/clock.js";
import { CallFiles } from "./call-files.js";
import { type AgentDiagnosis, diagnose } from "./diagnose.js";
import type { CliEngine } from "./engine.js";
import { agentEnvironment } from "./environment.js";
import { checkCliOptions, mapOptions, type OptionTarget } from "./option-table.js";
import type { BaseCliAgentOptions } from "./options.js";
import { resolveCall, workingFolder } from "./resolve-call.js";
import { type CliAgentResult, runCall } from "./run-call.js";
import { SessionTokens } from "./session-tokens.js";
import { isSessionId } from "./session-id.js";

/** An agent that is a command-line tool: one process for each generation. */
export class BaseCliAgent<O extends BaseCliAgentOptions = BaseCliAgentOptions> implements AgentLike {
  readonly id: string;
  readonly limit?: string;
  readonly engine: AgentEngine;
  /** Absent when the tool chooses. */
  readonly model: string | undefined;
  /** Its options `systemPrompt` and `instructions`. */
  readonly instructions?: string;
  readonly capabilities: AgentCapabilityRegistry;
  readonly supportsNativeStructuredOutput: boolean;
  readonly supportsSessionFork: boolean;
  readonly #engine: CliEngine<O>;
  readonly #options: O;
  readonly #clock: Clock;
  readonly #instanceId = randomUUID();
  readonly #tokens = new SessionTokens();

  /** @throws AGENT_CONFIG_INVALID, AGENT_RPC_FILE_ARGS, AGENT_BUILD_COMMAND */
  constructor(engine: CliEngine<O>, given: O, clock: Clock = systemClock) {
    if (engine.command === "") {
      throw new ServiceError("AGENT_BUILD_COMMAND", `The engine of ${engine.title} names no command.`);
    }
    const options = checkCliOptions(engine.title, engine.options, given);
    engine.check?.(options);
    this.#engine = engine;
    this.#options = options;
    this.#clock = clock;
    this.id = options.id ?? engine.engine;
    if (options.limit !== undefined) this.limit = options.limit;
    const told = [options.systemPrompt, options.instructions].filter((part) => part !== undefined);
    if (told.length > 0) this.instructions = told.join("\n\n");
    this.engine = engine.engine;
    this.model = options.model;
    this.capabilities = engine.capabilities;
    this.supportsSessionFork = engine.session.fork !== undefined;
    this.supportsNativeStructuredOutput = engine.hasNativeOutput?.(options) ?? false;
  }

  /** @throws AGENT_CLI_ERROR, AGENT_QUOTA_EXCEEDED, AGENT_CONFIG_INVALID, PROCESS_* */
  async generate(args: AgentGenerateOptions = {}): Promise<CliAgentResult> {
    const files = new CallFiles();
    const facts = { engine: this.#engine, options: this.#options, agentId: this.id, args };
    try {
      const call = await resolveCall({
        ...facts,
        instanceId: this.#instanceId,
        files,
        nowMs: this.#clock.now(),
      });
      return await runCall({ ...facts, call, clock: this.#clock, tokens: this.#tokens });
    } finally {
      await files.remove();
    }
  }

  /**
   * Whether the tool is installed, starts, and has a user signed in where that is cheap to ask.
   * @throws PROCESS_SPAWN_FAILED, AGENT_CONFIG_INVALID, AGENT_PREFLIGHT_FAILED, AGENT_DIAGNOSTIC_TIMEOUT
   */
  async preflight(args: AgentGenerateOptions = {}): Promise<void> {
    const { problem } = await this.diagnose(args);
    if (problem !== undefined) throw problem;
  }

  /** The findings behind {@link preflight}, for people. */
  async diagnose(args: AgentGenerateOptions = {}): Promise<AgentDiagnosis> {
    const files = new CallFiles();
    try {
      const { env } = await mapOptions(this.#engine.options, this.#options, files);
      return await diagnose({
        engine: this.#engine,
        options: this.#options,
        agentId: this.id,
        cwd: workingFolder(this.#options, args.rootDir),
        env: this.#environment(env),
        signal: args.abortSignal,
        clock: this.#clock,
      });
    } finally {
      await files.remove();
    }
  }

  /** The command that opens a conversation of this agent in a terminal; undefined when its tool has none. */
  resumeCommand(sessionId: string, taskContext: AgentTaskContext = {}): ResumeCommand | undefined {
    if (!isSessionId(sessionId)) return undefined;
    const opened = this.#engine.openSession?.(sessionId, {
      options: this.#options,
      env: this.#environment({}),
      taskContext,
      instanceId: this.#instanceId,
    });
    if (opened === undefined) return undefined;
    return {
      command: this.#engine.command,
      args: [...opened.args],
      env: { ...this.#placeVariables(), ...opened.env },
    };
  }

  #environment(mapped: Record<string, string>): Record<string, string> {
    return agentEnvironment({ added: [this.#options.env, mapped], unset: this.#engine.unsetEnv ?? [] });
  }

  /** Variables that say where the tool keeps its things. */
  #placeVariables(): Record<string, string> {
    const variables: Record<string, string> = {};
    const targets: Readonly<Record<string, OptionTarget>> = this.#engine.options;
    for (const [name, target] of Object.entries(targets)) {
      const value = (this.#options as Record<string, unknown>)[name];
      if (target.to !== "env" || target.secret === true || typeof value !== "string") continue;
      for (const variable of target.names) variables[variable] = value;
    }
    return variables;
  }
}
