import { ServiceError } from "../../errors/service-error.js";
import type { AgentEngine } from "../../model/agent.js";
import type { Clock } from "../../util/clock.js";
import { findExecutable } from "../../process/find-executable.js";
import { LineTail } from "../process/line-tail.js";
import { runProcess } from "../process/run-process.js";
import { callRedactor } from "./call-redactor.js";
import type { CliEngine } from "./engine.js";
import type { BaseCliAgentOptions } from "./options.js";
import { significantLine } from "./significant-line.js";

/** A diagnosis of an agent that spends no token. */
export interface AgentDiagnosis {
  agentId: string;
  engine: AgentEngine;
  command: string;
  /** Version of the tool that the agent's mapping was checked against. */
  checkedAgainst: string;
  /** Absent when the command is not on PATH. */
  path?: string;
  /** As the tool prints it. */
  version?: string;
  auth: "ok" | "missing" | "unknown";
  /** The first reason why the agent cannot work. */
  problem?: ServiceError;
}

export interface DiagnoseRequest<O extends BaseCliAgentOptions> {
  engine: CliEngine<O>;
  options: O;
  agentId: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal | undefined;
  clock: Clock;
}

/** Longest that one question to a tool may take, in milliseconds. */
const LONGEST_CHECK_MS = 20_000;

/** Looks for the command, asks for its version, and whether a user is signed in where that is cheap. */
export async function diagnose<O extends BaseCliAgentOptions>(
  request: DiagnoseRequest<O>,
): Promise<AgentDiagnosis> {
  const { engine, options, agentId, cwd, env } = request;
  const diagnosis: AgentDiagnosis = {
    agentId,
    engine: engine.engine,
    command: engine.command,
    checkedAgainst: engine.checkedAgainst,
    auth: "unknown",
  };
  const path = await findExecutable(engine.command, { env, cwd });
  if (path === undefined) {
    return { ...diagnosis, problem: notInstalled(request) };
  }
  diagnosis.path = path;
  try {
    // A machine that is busy, or reads the tool for the first time, is given a second chance.
    const answer = await ask(request, ["--version"]).catch((error: unknown) => {
      if (!ServiceError.is(error, "PROCESS_TIMEOUT")) throw error;
      return ask(request, ["--version"]);
    });
    const version = /\d+\.\d+[\w.+-]*/.exec(answer.output)?.[0];
    if (version !== undefined) diagnosis.version = version;
    const wrong = answer.exitCode === 0 ? engine.checkVersion?.(answer.output.trim()) : undefined;
    if (answer.exitCode !== 0) return { ...diagnosis, problem: broken(request, answer) };
    if (wrong !== undefined) return { ...diagnosis, problem: wrongVersion(request, wrong) };
    const { authCheck } = engine;
    if (authCheck?.applies(options, { env, cwd }) !== true) return diagnosis;
    const isMissing = authCheck.isMissing(await ask(request, authCheck.args));
    return isMissing
      ? { ...diagnosis, auth: "missing", problem: notSignedIn(request) }
      : { ...diagnosis, auth: "ok" };
  } catch (error) {
    if (!ServiceError.is(error) || request.signal?.aborted === true) throw error;
    return { ...diagnosis, problem: ServiceError.is(error, "PROCESS_TIMEOUT") ? tooSlow(request) : error };
  }
}

interface Answer {
  exitCode: number | null;
  output: string;
}

async function ask<O extends BaseCliAgentOptions>(
  request: DiagnoseRequest<O>,
  args: readonly string[],
): Promise<Answer> {
  const { engine, cwd, env, signal, clock } = request;
  const lines = new LineTail({ maxLines: 50, maxLineLength: 500 });
  const add = (line: { text: string }) => lines.add(line.text);
  const { exitCode } = await runProcess({
    command: engine.command,
    args,
    cwd,
    env,
    timeoutMs: LONGEST_CHECK_MS,
    maxLineBytes: 65_536,
    signal,
    clock,
    onStdoutLine: add,
    onStderrLine: add,
  });
  return { exitCode, output: lines.text() };
}

type Subject = Pick<DiagnoseRequest<BaseCliAgentOptions>, "agentId"> & {
  engine: { title: string; command: string; install: string; engine: string };
};

function notInstalled({ agentId, engine }: Subject): ServiceError {
  return new ServiceError(
    "PROCESS_SPAWN_FAILED",
    `Agent "${agentId}" needs the command "${engine.command}" of ${engine.title}, which is not on PATH. ${engine.install}`,
    { details: { agentId, engine: engine.engine, command: engine.command } },
  );
}

function broken(
  { agentId, engine, ...call }: Subject & Pick<DiagnoseRequest<BaseCliAgentOptions>, "options" | "env">,
  answer: Answer,
): ServiceError {
  const last = callRedactor(call).diagnostic(significantLine(answer.output) ?? "");
  return new ServiceError(
    "AGENT_PREFLIGHT_FAILED",
    `"${engine.command} --version" of agent "${agentId}" exits with code ${answer.exitCode}: ${last}`,
    { details: { agentId, engine: engine.engine, command: engine.command } },
  );
}

function wrongVersion({ agentId, engine }: Subject, why: string): ServiceError {
  return new ServiceError(
    "AGENT_CONFIG_INVALID",
    `Agent "${agentId}" cannot use this "${engine.command}": ${why}`,
    {
      details: { agentId, engine: engine.engine, reason: "version" },
    },
  );
}

function notSignedIn({ agentId, engine }: Subject): ServiceError {
  return new ServiceError(
    "AGENT_CONFIG_INVALID",
    `Agent "${agentId}" cannot work: no user is signed in to ${engine.title}. Sign in with "${engine.command}" in a terminal, or set an API key.`,
    { details: { agentId, engine: engine.engine, reason: "auth" } },
  );
}

function tooSlow({ agentId, engine }: Subject): ServiceError {
  return new ServiceError(
    "AGENT_DIAGNOSTIC_TIMEOUT",
    `"${engine.command}" of agent "${agentId}" did not answer within ${LONGEST_CHECK_MS / 1_000} seconds.`,
    { details: { agentId, engine: engine.engine } },
  );
}
