import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions } from "../../model/agent.js";
import { shorten } from "../../util/bounded-text.js";
import type { CallFiles } from "./call-files.js";
import type { CliCall, CliEngine } from "./engine.js";
import { agentEnvironment } from "./environment.js";
import { mapOptions, type SessionChoice } from "./option-table.js";
import type { BaseCliAgentOptions } from "./options.js";
import { promptOf, withContext } from "./prompt.js";
import { isSessionId } from "./session-id.js";

export interface CallRequest<O extends BaseCliAgentOptions> {
  engine: CliEngine<O>;
  options: O;
  agentId: string;
  instanceId: string;
  args: AgentGenerateOptions;
  files: CallFiles;
  nowMs: number;
}

/** Works out what one generation needs, from the agent's options and the call's. */
export async function resolveCall<O extends BaseCliAgentOptions>(
  request: CallRequest<O>,
): Promise<CliCall<O>> {
  const { engine, args, files } = request;
  const options = limitTools(engine, request.options, args);
  const mapped = await mapOptions(engine.options, options, files);
  const isFork = args.resumeSession !== undefined && args.forkSession === true;
  const session = chooseSession(engine, args, args.freshSession === true ? undefined : mapped.session);
  const sessionArgs = argsOfSession(engine, session);
  // A resumed conversation has heard its instructions; one that is forked may have heard those of another agent.
  const context =
    args.resumeSession === undefined || isFork ? [options.systemPrompt, options.instructions] : [];
  const prompt = promptOf(args, request.agentId);
  return {
    options,
    prompt: engine.context === "in-prompt" ? withContext(prompt, context) : prompt,
    systemPrompt: options.systemPrompt,
    instructions: options.instructions,
    flags: [
      ...(engine.modelFlag !== null && options.model !== undefined ? [engine.modelFlag, options.model] : []),
      ...(options.yolo === true ? engine.yoloArgs : []),
      ...mapped.flags,
      ...(engine.session.place === "own" ? [] : sessionArgs),
    ],
    sessionArgs,
    session,
    extraArgs: options.extraArgs ?? [],
    cwd: workingFolder(options, args.rootDir),
    env: agentEnvironment({ added: [options.env, mapped.env], unset: engine.unsetEnv ?? [] }),
    files,
    timeoutMs: smaller(options.timeoutMs, args.timeout),
    outputSchema: args.outputSchema,
    taskContext: args.taskContext ?? {},
    instanceId: request.instanceId,
    startedAtMs: request.nowMs,
  };
}

/** The task's root folder, unless the agent has one of its own. */
export function workingFolder(options: BaseCliAgentOptions, rootDir: string | undefined): string {
  const root = rootDir ?? process.cwd();
  return options.cwd === undefined ? root : resolve(root, options.cwd);
}

function chooseSession<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  { resumeSession, forkSession }: AgentGenerateOptions,
  chosen: SessionChoice | undefined,
): SessionChoice | undefined {
  if (resumeSession !== undefined) {
    // It comes from a stored row; what the author has chosen may be a path to a session as well.
    if (!isSessionId(resumeSession)) throw notASession(resumeSession);
    if (forkSession !== true) return { as: "resume", id: resumeSession };
    if (engine.session.fork !== undefined) return { as: "fork", id: resumeSession };
    throw new ServiceError(
      "AGENT_CONFIG_INVALID",
      `${engine.title} cannot fork a conversation: continue it, or give the agent its messages.`,
      { details: { engine: engine.engine, reason: "fork" } },
    );
  }
  if (chosen !== undefined) return chosen;
  return engine.session.assignsId === true ? { as: "new", id: randomUUID() } : undefined;
}

function notASession(id: string): ServiceError {
  return new ServiceError(
    "AGENT_CONFIG_INVALID",
    `${JSON.stringify(shorten(id, 80))} cannot be the id of a session: letters, digits, "_", ".", ":" and "-", at most 200.`,
  );
}

function argsOfSession<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  session: SessionChoice | undefined,
): readonly string[] {
  if (session === undefined) return [];
  if (session.as === "continue") return engine.session.continue ?? [];
  if (session.as === "fork") return engine.session.fork?.(session.id) ?? [];
  return session.as === "new" && engine.session.new !== undefined
    ? engine.session.new(session.id)
    : engine.session.resume(session.id);
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

/**
 * The agent's options for a call that may limit its tools: `allowTools` names them;
 * `cliAgentToolsDefault: "explicit-only"` leaves those that the agent's own options name, or none.
 *
 * @throws AGENT_CONFIG_INVALID when the tool cannot be limited: it would do more than it may
 */
function limitTools<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  options: O,
  args: AgentGenerateOptions,
): O {
  const tools = allowedTools(engine, options, args);
  if (tools === undefined) return options;
  if (engine.toolLimit !== undefined) return engine.toolLimit.apply(options, tools);
  throw new ServiceError(
    "AGENT_CONFIG_INVALID",
    `${engine.title} cannot be limited to a list of tools, which this task asks for. Use another agent, or leave out \`allowTools\` and \`cliAgentToolsDefault: "explicit-only"\`.`,
    { details: { engine: engine.engine, option: "allowTools" } },
  );
}

function allowedTools<O extends BaseCliAgentOptions>(
  engine: CliEngine<O>,
  options: O,
  args: AgentGenerateOptions,
): readonly string[] | undefined {
  const { allowTools } = args;
  if (Array.isArray(allowTools)) return allowTools.map(String);
  if (args["cliAgentToolsDefault"] !== "explicit-only") return undefined;
  return engine.toolLimit?.chosen(options) ?? [];
}
