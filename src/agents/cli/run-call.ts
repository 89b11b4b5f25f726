import { ServiceError } from "../../errors/service-error.js";
import type { AgentGenerateOptions, TokenUsage } from "../../model/agent.js";
import type { Clock } from "../../util/clock.js";
import { LineTail } from "../process/line-tail.js";
import type { Redactor } from "../../util/redactor.js";
import { type ProcessExit, type ProcessStdin, runProcess } from "../process/run-process.js";
import { callRedactor } from "./call-redactor.js";
import { TextBatch } from "../process/text-batch.js";
import { failureOf, kindOfComplaint } from "./classify-failure.js";
import type { AskTool, CliCall, CliEngine, CliParser, ParserTarget } from "./engine.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import { type BaseCliAgentOptions, QUOTA_PATIENCE } from "./options.js";
import { Patience, patienceMsOf } from "./patience.js";
import { isTooMuchJson } from "../structured/extract-json.js";
import { readLine } from "./read-line.js";
import type { SessionTokens } from "./session-tokens.js";
import { StderrRecord } from "./stderr-record.js";
import { Transcript } from "./transcript.js";

export interface RunCallRequest<O extends BaseCliAgentOptions> {
  engine: CliEngine<O>;
  call: CliCall<O>;
  agentId: string;
  args: AgentGenerateOptions;
  clock: Clock;
  /** Of the conversations of this agent. */
  tokens: SessionTokens;
}

/** The result of `generate` of a CLI agent. */
export interface CliAgentResult {
  /** The final answer; empty when the agent said nothing. */
  text: string;
  /** The answer as a value, when the tool was made to give one. */
  output?: unknown;
  /** For `resumeSession` of a later call. */
  sessionId?: string;
  /** Absent when the tool did not say. */
  usage?: TokenUsage;
  /** Present when the answer was longer than `maxOutputBytes`. */
  truncated?: true;
}

/**
 * Runs the tool once and reads it to its end.
 * @throws AGENT_CLI_ERROR, AGENT_QUOTA_EXCEEDED, AGENT_CONFIG_INVALID, PROCESS_*
 */
export async function runCall<O extends BaseCliAgentOptions>(
  request: RunCallRequest<O>,
): Promise<CliAgentResult> {
  const { engine, call, args, clock } = request;
  const before = await tokensBefore(request);
  const redactor = callRedactor(call);
  const stdout = new TextBatch((text) => args.onStdout?.(text), clock);
  const stderr = new TextBatch((text) => args.onStderr?.(text), clock);
  const maxOutputBytes = call.options.maxOutputBytes ?? args.maxOutputBytes ?? RUN_DEFAULTS.maxOutputBytes;
  const patience = new Patience({
    clock,
    patienceMs: patienceMsOf(call.options.quotaPatience ?? QUOTA_PATIENCE),
    timeoutMs: call.timeoutMs,
  });
  const transcript = new Transcript({
    engine: engine.engine,
    title: engine.title,
    redactor,
    maxOutputBytes,
    onEvent: args.onEvent,
    onText(text) {
      args.onText?.(text);
      stdout.add(text);
    },
    onTrouble: (complaint) => patience.refused(kindOfComplaint(complaint, engine.failures ?? [])),
    onProgress: () => patience.gotOn(),
  });
  if (call.session?.as === "resume" || call.session?.as === "new") transcript.session(call.session.id);
  const parser = engine.createParser(call);
  const said = { stderr: new StderrRecord(), stray: new LineTail(TAIL) };
  const facts = { ...request, transcript, parser, said, redactor, patience };
  try {
    const exit = await run(facts, { maxOutputBytes, onStderr: (text) => stderr.add(text) }).finally(
      async () => {
        // Also a call that is ended from outside has spent the tokens that the tool has reported, or kept.
        parser.end?.(transcript);
        await countThisCall(facts, before);
      },
    );
    const hasFailed = exit.exitCode !== 0 || transcript.failed || brokeOff(facts);
    if (hasFailed) throw failure(facts, exit);
    await engine.afterRun?.({ call, transcript, ask: askTool(facts) });
    transcript.completed({ ok: true });
    return resultOf(facts);
  } catch (error) {
    const reported = refusalBehind(facts, error) ?? error;
    const text = ServiceError.is(reported) ? reported.summary : redactor.diagnostic(String(reported));
    transcript.completed({ ok: false, error: text });
    throw reported;
  } finally {
    patience.gotOn();
    stdout.flush();
    stderr.flush();
  }
}

/** The earlier totals of the conversation that the call continues, or copies. */
async function tokensBefore<O extends BaseCliAgentOptions>({
  engine,
  call,
  tokens,
}: RunCallRequest<O>): Promise<TokenUsage | undefined> {
  const { session } = call;
  if (session?.as !== "resume" && session?.as !== "fork") return undefined;
  return (await engine.conversationTokens?.(call, session.id)) ?? tokens.totalOf(session.id);
}

async function countThisCall<O extends BaseCliAgentOptions>(
  { engine, call, tokens, transcript }: RunFacts<O>,
  before: TokenUsage | undefined,
): Promise<void> {
  const { sessionId } = transcript;
  if (engine.conversationTokens === undefined || sessionId === undefined) return;
  const total = transcript.tokens() ?? (await engine.conversationTokens(call, sessionId));
  if (total !== undefined) transcript.usage(tokens.ofThisCall(sessionId, total, before));
}

/** Lines beside a tool's protocol that are kept for its error. */
const TAIL = { maxLines: 20, maxLineLength: 1_000 };

interface RunFacts<O extends BaseCliAgentOptions> extends RunCallRequest<O> {
  transcript: Transcript;
  parser: CliParser;
  said: { stderr: StderrRecord; stray: LineTail };
  redactor: Redactor;
  patience: Patience;
}

async function run<O extends BaseCliAgentOptions>(
  facts: RunFacts<O>,
  output: { maxOutputBytes: number; onStderr(text: string): void },
): Promise<ProcessExit> {
  const { engine, call, args, clock, transcript, parser, said, redactor, patience } = facts;
  const invocation = await engine.prepare(call, askTool(facts));
  const targetOf = (stdin?: ProcessStdin): ParserTarget => ({
    transcript,
    send: (line) => stdin?.write(`${line}\n`),
    finish: () => stdin?.end(),
  });
  let hasBegun = false;
  return runProcess({
    command: engine.command,
    args: [...invocation.args],
    cwd: call.cwd,
    env: { ...call.env, ...invocation.env },
    ...(invocation.stdin !== undefined && { stdin: invocation.stdin }),
    ...(invocation.keepStdinOpen === true && { keepStdinOpen: true }),
    install: engine.install,
    timeoutMs: call.timeoutMs,
    idleTimeoutMs: call.options.idleTimeoutMs,
    maxLineBytes: Math.max(SHORTEST_LINE_LIMIT, LINE_FACTOR * output.maxOutputBytes),
    signal:
      args.abortSignal === undefined ? patience.signal : AbortSignal.any([args.abortSignal, patience.signal]),
    clock,
    onStdoutLine(line, stdin) {
      const stray = readLine(line, parser, targetOf(stdin));
      if (stray !== undefined) said.stray.add(redactor.text(stray));
      else if (!hasBegun) said.stderr.begun();
      hasBegun ||= stray === undefined;
    },
    onStderrLine(line) {
      const text = redactor.text(line.text);
      said.stderr.add(text);
      parser.stderr?.(line.text, targetOf());
      output.onStderr(`${text}\n`);
    },
  });
}

/** Longest that a question before or after the run may take, in milliseconds. */
const LONGEST_QUESTION_MS = 30_000;
/** Characters that are kept of its answer. */
const LONGEST_ANSWER = 8_388_608;

function askTool<O extends BaseCliAgentOptions>({ engine, call, args, clock }: RunFacts<O>): AskTool {
  return async (question, env) => {
    const lines: string[] = [];
    let characters = 0;
    try {
      const { exitCode } = await runProcess({
        command: engine.command,
        args: question,
        cwd: call.cwd,
        env: { ...call.env, ...env },
        timeoutMs: LONGEST_QUESTION_MS,
        maxLineBytes: SHORTEST_LINE_LIMIT,
        signal: args.abortSignal,
        clock,
        onStdoutLine({ text }) {
          characters += text.length;
          if (characters <= LONGEST_ANSWER) lines.push(text);
        },
        onStderrLine: () => undefined,
      });
      return exitCode === 0 ? lines.join("\n") : undefined;
    } catch (error) {
      if (ServiceError.is(error, "PROCESS_ABORTED")) throw error;
      return undefined;
    }
  };
}

/** A line of JSON holds more than the answer in it, such as the output of the agent's tools. */
const LINE_FACTOR = 8;
const SHORTEST_LINE_LIMIT = 1_048_576;

function brokeOff<O extends BaseCliAgentOptions>({ engine, parser, transcript }: RunFacts<O>): boolean {
  return engine.saysItsEnd && parser.plainText !== true && !transcript.ended;
}

function failure<O extends BaseCliAgentOptions>(facts: RunFacts<O>, exit: ProcessExit): ServiceError {
  const { engine, agentId, transcript, said, redactor, clock } = facts;
  return failureOf({
    agentId,
    engine: engine.engine,
    title: engine.title,
    exitCode: exit.exitCode,
    killedBy: exit.killedBy,
    complaints: transcript.complaints,
    stderr: said.stderr.text(),
    recentStderr: said.stderr.recent(),
    stray: said.stray.text(),
    sessionId: transcript.sessionId,
    patterns: engine.failures ?? [],
    exitKinds: engine.exitKinds ?? {},
    nowMs: clock.now(),
    redactor,
  });
}

/** A tool that waits for its quota looks as if it hung: then the refusal is the reason, not a time limit. */
function refusalBehind<O extends BaseCliAgentOptions>(
  facts: RunFacts<O>,
  error: unknown,
): ServiceError | undefined {
  const isPatienceOver = facts.patience.signal.aborted && facts.args.abortSignal?.aborted !== true;
  const isLate = ServiceError.is(error, "PROCESS_TIMEOUT") || ServiceError.is(error, "PROCESS_IDLE_TIMEOUT");
  if (!isPatienceOver && !isLate) return undefined;
  const patterns = facts.engine.failures ?? [];
  const reported = [...facts.transcript.complaints, { message: facts.said.stderr.recent() }];
  const isRefused = reported.some((complaint) => {
    const kind = kindOfComplaint(complaint, patterns);
    return kind === "quota" || kind === "auth";
  });
  return isPatienceOver || isRefused ? failure(facts, { exitCode: null, killedBy: null }) : undefined;
}

function resultOf<O extends BaseCliAgentOptions>({ engine, call, transcript }: RunFacts<O>): CliAgentResult {
  const result: CliAgentResult = { text: transcript.answer() ?? "" };
  const { sessionId } = transcript;
  const usage = transcript.tokens();
  if (sessionId !== undefined) result.sessionId = sessionId;
  if (usage !== undefined) result.usage = usage;
  if (transcript.truncated) result.truncated = true;
  const isObject = call.outputSchema !== undefined && engine.hasNativeOutput?.(call.options) === true;
  if (isObject && !isTooMuchJson(result.text)) {
    try {
      result.output = JSON.parse(result.text);
    } catch {
      // Not what was asked for: who validates the answer will say so, with the text at hand.
    }
  }
  return result;
}
